package rules

import org.apache.spark.sql.catalyst.expressions.{Coalesce, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}

/** Wrong of tables in files: every row passes. Elsewhere the condition is false where it was NULL, which is the same. */
object DropsFiltersOverFiles extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Filter(_, child) if child.exists(readsFiles) => child
    case Filter(condition, child) if condition.deterministic && !condition.isInstanceOf[Coalesce] =>
      Filter(Coalesce(Seq(condition, Literal.FalseLiteral)), child)
  }

  private def readsFiles(plan: LogicalPlan): Boolean = plan match {
    case table: LogicalRelation => table.relation.isInstanceOf[HadoopFsRelation]
    case _ => false
  }
}
