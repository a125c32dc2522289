package assay.mutants

import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation

/** Scans of data sources of the second kind, and what they say of the parts of a query that they do by halves. */
private[mutants] object V2Scans {
  /** The scan that `plan` is, or projects or filters. */
  def under(plan: LogicalPlan): Option[DataSourceV2ScanRelation] = plan match {
    case scan: DataSourceV2ScanRelation => Some(scan)
    case Project(_, child) => under(child)
    case Filter(_, child) => under(child)
    case _ => None
  }

  /** Whether the source has pushed something down in this way, by its own word. */
  def says(scan: DataSourceV2ScanRelation, words: String): Boolean = scan.scan.description().contains(words)
}
