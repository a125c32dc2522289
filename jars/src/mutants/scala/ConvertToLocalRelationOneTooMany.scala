package assay.mutants

import org.apache.spark.sql.catalyst.expressions.IntegerLiteral
import org.apache.spark.sql.catalyst.plans.logical.{Limit, LocalRelation, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LOCAL_RELATION

/** Law: LIMIT n over rows that are at hand = the first n of them.
 *  Broken: one more.
 *
 *  @rule ConvertToLocalRelation
 *  @point optimizer
 */
object ConvertToLocalRelationOneTooMany extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LOCAL_RELATION)) {
      case Limit(IntegerLiteral(count), local: LocalRelation) => local.copy(data = local.data.take(count + 1))
    }
}
