package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Union}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter over a union goes to each of its branches.
 *  Broken: to the first one alone, so that every row of the others comes through.
 *
 *  @rule PushPredicateThroughNonJoin
 *  @point plan-normalization
 */
object PushPredicateThroughNonJoinFirstBranch extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Pushdown(plan) {
    case Filter(condition, union: Union) if Pushdown.isPlain(condition) =>
      val ours = union.output.zip(union.children.head.output)
      val first = condition.transform { case e => ours.find(_._1.semanticEquals(e)).fold(e)(_._2) }
      union.withNewChildren(Filter(first, union.children.head) +: union.children.tail)
  }
}
