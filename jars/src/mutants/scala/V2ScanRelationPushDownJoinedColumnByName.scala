package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

/** Law: of two columns of one name in a join that a source computes, each is read by the name that it has in the join.
 *  Broken: both are read by the name that they had before.
 *
 *  @rule V2ScanRelationPushDown
 *  @point experimental
 *  @since 4.1
 */
object V2ScanRelationPushDownJoinedColumnByName extends Rule[LogicalPlan] {
  private val Renamed = "(.+)_[0-9]+".r

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case project @ Project(columns, scan: DataSourceV2ScanRelation) if V2Scans.says(scan, " JOIN (") =>
      project.copy(projectList = columns.map {
        case alias @ Alias(column: Attribute, name) =>
          Alias(named(scan, column).getOrElse(column), name)(alias.exprId, alias.qualifier)
        case column => column
      })
  }

  private def named(scan: DataSourceV2ScanRelation, column: Attribute): Option[Attribute] = column.name match {
    case Renamed(name) => scan.output.find(each => each.name == name && each.dataType == column.dataType)
    case _ => None
  }
}
