package assay.mutants

import org.apache.spark.sql.catalyst.plans.{LeftOuter, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: above an inner join a condition on both sides may as well be in its ON; above an outer join it stays.
 *  Broken: it goes into the ON of a left or right outer join, too, which pads the rows that it would drop.
 *
 *  @rule PushPredicateThroughJoin
 *  @point plan-normalization
 */
object PushPredicateThroughJoinWhereIntoOn extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, join @ Join(left, right, LeftOuter | RightOuter, on, _))
        if Pushdown.isPlain(condition) && !condition.references.subsetOf(left.outputSet) &&
          !condition.references.subsetOf(right.outputSet) =>
      join.copy(condition = Pushdown.all(on.toSeq :+ condition))
  }
}
