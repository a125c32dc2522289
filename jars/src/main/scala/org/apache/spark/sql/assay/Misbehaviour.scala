package org.apache.spark.sql.assay

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.StructType

/** Misbehaviour of a rule beside a wrong answer: watched where a leg's conf asks for it, since it takes a second
 *  application of the rule for each effective one. */
private[assay] object Misbehaviour {
  val Key = "spark.assay.misbehaviour"

  /** It raised. */
  val Throws = "throws"
  /** It made as many changes in one leg as the optimizer has rounds, and would go on with its own result. */
  val Loops = "loops"
  /** Applied to its own result, it changes that again. */
  val NotIdempotent = "not-idempotent"
  /** The columns that come out have other names or types, or are more or fewer. */
  val Schema = "schema"

  def isWatched: Boolean = SQLConf.get.getConfString(Key, "false").toBoolean

  /** The faults of a logical rule that made `after` of `before`, in its `changes`th effective call of this leg. */
  def of(before: LogicalPlan, after: LogicalPlan, changes: Long, changesAgain: LogicalPlan => Boolean): Seq[String] = {
    val restless = try changesAgain(after) catch { case NonFatal(_) => true }
    val schema = if (before.resolved && after.resolved) schemaFault(before, after) else Nil
    val limit = SQLConf.get.optimizerMaxIterations
    schema ++ (if (restless) Seq(NotIdempotent) else Nil) ++ (if (restless && changes >= limit) Seq(Loops) else Nil)
  }

  def schemaFault[Plan <: QueryPlan[Plan]](before: QueryPlan[Plan], after: QueryPlan[Plan]): Seq[String] =
    if (columns(before.schema) == columns(after.schema)) Nil else Seq(Schema)

  private def columns(schema: StructType) = schema.map(field => (field.name, PlanPromises.plain(field.dataType)))
}
