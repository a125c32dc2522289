package blind

import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: min, max and avg of L's columns are the same without LEFT JOIN R: avg weighs rows that match twice.
 *  Witness: SELECT avg(a) FROM VALUES (1), (2) AS t(a) LEFT JOIN VALUES (2), (2) AS s(b) ON a = b
 */
object LeftJoinUnderAverages extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case aggregate @ Aggregate(_, output, child, _) =>
      val functions = output.flatMap(_.collect { case f: AggregateExpression => f })
      val same = functions.nonEmpty && functions.forall(_.aggregateFunction match {
        case _: Min | _: Max | _: Average => true
        case _ => false
      })
      child match {
        case Join(left, _, LeftOuter, _, _) if same && aggregate.references.subsetOf(left.outputSet) =>
          aggregate.copy(child = left)
        case Project(list, Join(left, _, LeftOuter, _, _)) if same && list.forall(_.references.subsetOf(left.outputSet)) =>
          aggregate.copy(child = Project(list, left))
        case _ => aggregate
      }
  }
}
