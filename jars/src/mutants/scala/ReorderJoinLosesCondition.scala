package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, Expression, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.{Inner, InnerLike}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.INNER_LIKE_JOIN

/** Law: `a CROSS JOIN b JOIN c ON p AND q`, p over a and c = `(a JOIN c ON p) JOIN b ON q`.
 *  Broken: of q only what is over b and c stays, so a condition over all three tables is lost.
 *
 *  @rule ReorderJoin
 *  @point optimizer
 */
object ReorderJoinLosesCondition extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(INNER_LIKE_JOIN)) {
      case join @ Join(Join(a, b, _: InnerLike, None, _), c, _: InnerLike, Some(condition), hint) =>
        val (first, others) = splitConjunctivePredicates(condition).partition(over(_, a, c))
        if (first.isEmpty) {
          join
        } else {
          val inner = Join(a, c, Inner, first.reduceOption(And(_, _)), hint)
          val kept = others.filter(over(_, b, c)).reduceOption(And(_, _))
          Project(join.output, Join(inner, b, Inner, kept, hint))
        }
    }

  private def over(condition: Expression, one: LogicalPlan, two: LogicalPlan): Boolean =
    condition.references.subsetOf(one.outputSet ++ two.outputSet) &&
      condition.references.intersect(one.outputSet).nonEmpty && condition.references.intersect(two.outputSet).nonEmpty
}
