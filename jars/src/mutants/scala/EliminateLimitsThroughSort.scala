package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{IntegerLiteral, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{Limit, LogicalPlan, Sort}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{LIMIT, SORT}

/** Law: of two limits, one right over the other, the lesser number counts.
 *  Broken: a sort between them is looked through, so the first rows are taken of all rows in the upper order, or all in
 *  the lower order are taken for those.
 *
 *  @rule EliminateLimits
 *  @point optimizer
 */
object EliminateLimitsThroughSort extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(LIMIT, SORT)) {
      case limit @ Limit(IntegerLiteral(upper), sort: Sort) => sort.child match {
        case Limit(IntegerLiteral(lower), child) => Limit(Literal(math.min(upper, lower)), sort.copy(child = child))
        case _ => limit
      }
    }
}
