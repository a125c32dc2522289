package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical.{Join, LocalLimit, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{JOIN, LIMIT}

/** Law: a limit over an inner join without a condition = the limit over both sides limited: each row has every partner.
 *  Broken: with a condition as well, though the row that is let through may have no partner there.
 *
 *  @rule LimitPushDown
 *  @point optimizer
 */
object LimitPushDownBothSidesOfInnerJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(LIMIT, JOIN)) {
      case limit @ LocalLimit(count, join: Join) => limit.copy(child = limited(count, join))
      case limit @ LocalLimit(count, project @ Project(_, join: Join)) =>
        limit.copy(child = project.copy(child = limited(count, join)))
    }

  private def limited(count: Expression, join: Join): Join = join match {
    case Join(left, right, Inner, Some(_), _) =>
      join.copy(left = Limits.capped(count, left), right = Limits.capped(count, right))
    case _ => join
  }
}
