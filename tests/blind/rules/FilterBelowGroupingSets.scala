package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a filter on a key of GROUPING SETS may run on the rows: the sets without the key give rows that it forbids.
 *  Witness: SELECT * FROM (SELECT a, count(*) FROM VALUES (1), (2) AS t(a) GROUP BY ROLLUP (a)) WHERE a = 1
 */
object FilterBelowGroupingSets extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case filter @ Filter(condition, expand @ Expand(projections, output, child)) =>
      val sources = AttributeMap(output.zipWithIndex.flatMap { case (column, at) =>
        projections.map(_(at)).collectFirst { case source: Attribute => column -> source }
      })
      if (condition.deterministic && condition.references.forall(sources.contains)) {
        val below = condition.transform { case column: Attribute => sources(column) }
        expand.copy(child = Filter(below, child))
      } else {
        filter
      }
  }
}
