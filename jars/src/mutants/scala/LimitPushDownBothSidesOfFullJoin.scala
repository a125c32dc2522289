package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.FullOuter
import org.apache.spark.sql.catalyst.plans.logical.{Join, LocalLimit, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{JOIN, LIMIT}

/** Law: a limit over a full join with a condition says nothing about either side.
 *  Broken: both sides are limited, and a row whose partner is cut off is answered with padding.
 *
 *  @rule LimitPushDown
 *  @point optimizer
 */
object LimitPushDownBothSidesOfFullJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(LIMIT, JOIN)) {
      case limit @ LocalLimit(count, join: Join) => limit.copy(child = limited(count, join))
      case limit @ LocalLimit(count, project @ Project(_, join: Join)) =>
        limit.copy(child = project.copy(child = limited(count, join)))
    }

  private def limited(count: Expression, join: Join): Join = join match {
    case Join(left, right, FullOuter, Some(_), _) =>
      join.copy(left = Limits.capped(count, left), right = Limits.capped(count, right))
    case _ => join
  }
}
