package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Coalesce, Literal, Predicate}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LocalRelation, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.LOCAL_RELATION

/** Law: of rows that are at hand a filter leaves those for which its condition is true.
 *  Broken: those for which it isn't false.
 *
 *  @rule ConvertToLocalRelation
 *  @point optimizer
 */
object ConvertToLocalRelationUnknownPasses extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(LOCAL_RELATION)) {
      case Filter(condition, local: LocalRelation) if Local.computable(condition) =>
        val passes = Predicate.create(Coalesce(Seq(condition, Literal.TrueLiteral)), local.output)
        passes.initialize(0)
        local.copy(data = local.data.filter(row => passes.eval(row)))
    }
}
