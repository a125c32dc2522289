package org.apache.spark.sql.assay.connector

import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.types.StructType

/** Rows in splits, to which a scan applies the parts of a query that it has accepted: those of a table or of a join. */
private[assay] trait Input {
  def rowType: StructType

  def splits: Seq[Split]

  /** The partition transforms whose values are the keys of the splits. */
  def transforms: Seq[Transform]

  /** All that the rows depend on, for the text of plans. */
  def text: String
}
