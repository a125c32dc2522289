package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Limit, LogicalPlan, WithCTE}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.CTE

/** Law: the limit of a common table expression is about its own rows, wherever they are read.
 *  Broken: it goes together with the order, which nothing that reads the rows depends on.
 *
 *  @rule InlineCTE
 *  @point plan-normalization
 */
object InlineCTEDropsLimit extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(CTE)) {
      case common: WithCTE =>
        common.copy(cteDefs = common.cteDefs.map { definition =>
          definition.child match {
            case Limit(_, rows) => definition.copy(child = rows)
            case _ => definition
          }
        })
    }
}
