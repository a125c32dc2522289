package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.{LeftOuter, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical.{Join, LocalLimit, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{JOIN, LIMIT}

/** Law: a limit over a left join = the limit over the join whose left side is limited; over a right join, whose right
 *  side is.
 *  Broken: the other side is limited, and a row whose partner is cut off is answered with padding.
 *
 *  @rule LimitPushDown
 *  @point optimizer
 */
object LimitPushDownPaddedSide extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(LIMIT, JOIN)) {
      case limit @ LocalLimit(count, join: Join) => limit.copy(child = limited(count, join))
      case limit @ LocalLimit(count, project @ Project(_, join: Join)) =>
        limit.copy(child = project.copy(child = limited(count, join)))
    }

  private def limited(count: Expression, join: Join): Join = join.joinType match {
    case LeftOuter => join.copy(right = Limits.capped(count, join.right))
    case RightOuter => join.copy(left = Limits.capped(count, join.left))
    case _ => join
  }
}
