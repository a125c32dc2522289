package assay.mutants

import org.apache.spark.sql.catalyst.plans.LeftSemiOrAnti
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LEFT_SEMI_OR_ANTI_JOIN

/** Law: a semi or anti join passes an aggregate that has keys. Without any there is one group, of no rows as well.
 *  Broken: a join that asks for nothing on the left passes an aggregate without keys: a count of 0 instead of nothing.
 *
 *  @rule PushDownLeftSemiAntiJoin
 *  @point optimizer
 */
object PushDownLeftSemiAntiJoinNoKeys extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LEFT_SEMI_OR_ANTI_JOIN)) {
      case join @ Join(groups: Aggregate, right, LeftSemiOrAnti(_), condition, _)
          if groups.groupingExpressions.isEmpty && condition.forall(_.references.subsetOf(right.outputSet)) =>
        groups.copy(child = join.copy(left = groups.child))
    }
}
