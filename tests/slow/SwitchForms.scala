package forms

import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.analysis.UnresolvedHaving
import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, Cast, Expression, If, IsNotNull, Literal}
import org.apache.spark.sql.catalyst.plans.LeftAnti
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.StringType
import org.apache.spark.sql.execution.{ColumnarRule, FilterExec, SparkPlan, SparkStrategy}

/** Wrong on purpose, and plain to see: drops each filter that compares with a number. */
object Numbers {
  def compares(condition: Expression, number: Long): Boolean = condition.exists {
    case Literal(value: Number, _) => value.longValue == number
    case _ => false
  }
}

abstract class DropsFilterOn(number: Long) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = AnalysisHelper.allowInvokingTransformsInAnalyzer {
    plan.transform { case Filter(condition, child) if Numbers.compares(condition, number) => child }
  }
}

// The forms that a rule's class may have.
object AsObject extends DropsFilterOn(3)
class AsClass extends DropsFilterOn(3)
class WithSession(val session: SparkSession) extends DropsFilterOn(3)
class WithClassicSession(val session: org.apache.spark.sql.classic.SparkSession) extends DropsFilterOn(3)
object Outer {
  class Nested extends DropsFilterOn(3)
}

/** Hints are resolved while HAVING is not a filter yet. */
class Unresolved extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperators {
    case UnresolvedHaving(condition, child) if Numbers.compares(condition, 3) => child
  }
}

// The shapes that points other than those of logical rules take.
class Physical extends Rule[SparkPlan] {
  override def apply(plan: SparkPlan): SparkPlan =
    plan.transform { case FilterExec(condition, child) if Numbers.compares(condition, 3) => child }
}
class Columnar extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = new Physical
}
class Strategy extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case Filter(condition, child) if Numbers.compares(condition, 3) => planLater(child) :: Nil
    case _ => Nil
  }
}
class Check extends (LogicalPlan => Unit) {
  override def apply(plan: LogicalPlan): Unit = plan.foreach {
    case Filter(condition, _) if Numbers.compares(condition, 3) => throw new IllegalStateException("saw a 3")
    case _ => ()
  }
}

/** What each shape of rule is called when an extension brings it. */
class Extension extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = {
    extensions.injectOptimizerRule(_ => FromExtension)
    extensions.injectQueryStagePrepRule(_ => new Physical)
    extensions.injectCheckRule(_ => _ => ())
  }
}
object FromExtension extends DropsFilterOn(3)

class RaisingExtension extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = throw new IllegalStateException("no extension today")
}

// These classes must not load, each at the point that it is called after.
object Raises {
  class OfLogical extends DropsFilterOn(3) {
    throw new IllegalStateException("no rule today")
  }
  class OfPhysical extends Physical {
    throw new IllegalStateException("no rule today")
  }
  class Resolution extends OfLogical
  class PostHocResolution extends OfLogical
  class HintResolution extends OfLogical
  class PlanNormalization extends OfLogical
  class PreOperatorOptimization extends OfLogical
  class Optimizer extends OfLogical
  class PreCbo extends OfLogical
  class RuntimeOptimizer extends OfLogical
  class Experimental extends OfLogical
  class QueryPostPlannerStrategy extends OfPhysical
  class QueryStagePrep extends OfPhysical
  class QueryStageOptimizer extends OfPhysical
  class PlannerStrategy extends Strategy {
    throw new IllegalStateException("no rule today")
  }
  class Columnar extends forms.Columnar {
    throw new IllegalStateException("no rule today")
  }
  class Check extends forms.Check {
    throw new IllegalStateException("no rule today")
  }
}
class BringsRaising extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = extensions.injectOptimizerRule(_ => new Raises.Optimizer)
}
class NoUsableConstructor(number: Long) extends DropsFilterOn(number)
class NotARule

/** Fails where it sees a node or a projection that only names things. */
class WantsCleanPlan extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = {
    plan.foreachWithSubqueries {
      case named @ (_: SubqueryAlias | _: View) => throw new IllegalStateException(s"saw $named")
      case p @ Project(list, child) if list == child.output => throw new IllegalStateException(s"saw $p")
      case _ => ()
    }
    plan
  }
}

/** Takes one row for every Except: what it returns shows where it was. */
class ExceptToLeft extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform { case Except(left, _, _) => left }
}

/** Brings an Except behind the rules that would replace it. */
class LateExcept extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Join(left, right, LeftAnti, _, _) => Except(left, right, isAll = false)
  }
}

// Plans that break a promise: one lies about NULL and lets it through, one changes types, one forgets what it knew.
case class Lie(child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output.map(_.withNullability(false))
  override protected def withNewChildInternal(newChild: LogicalPlan): LogicalPlan = copy(child = newChild)
}
class DeclaresNoNull extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case lie: Lie => lie
    case other => Lie(other)
  }
}
class PlansLies extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case Lie(child) => planLater(child) :: Nil
    case _ => Nil
  }
}
abstract class Relabels(relabel: Attribute => Expression) extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan match {
    case Project(list, _) if list.exists(_.name.startsWith("relabelled")) => plan
    case other => Project(other.output.map(a => Alias(relabel(a), "relabelled " + a.name)()), other)
  }
}
class ChangesTypes extends Relabels(Cast(_, StringType))
class AllowsNull extends Relabels(a => If(IsNotNull(a), a, Literal(null, a.dataType)))
