package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter on columns that the window doesn't make may run before it: on partition keys alone.
 *  Witness: SELECT * FROM (SELECT a, count(*) OVER () AS n FROM VALUES (1), (2) AS t(a)) WHERE a > 1
 */
object FilterBelowWindow extends Rule[LogicalPlan] with PredicateHelper {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition, window: Window) =>
      val (below, above) = splitConjunctivePredicates(condition).partition { p =>
        p.deterministic && p.references.nonEmpty && p.references.subsetOf(window.child.outputSet)
      }
      if (below.isEmpty) filter
      else {
        val pushed = window.copy(child = Filter(below.reduce(And(_, _)), window.child))
        above.reduceOption(And(_, _)).fold[LogicalPlan](pushed)(Filter(_, pushed))
      }
  }
}
