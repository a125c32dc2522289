package org.apache.spark.sql.assay

import org.apache.spark.sql.assay.connector.SourceTable
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{CommandExecutionMode, QueryExecution}
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation

/** Statements that change a table, as legs: Spark runs a command as soon as it is analyzed, with an execution of its own
 *  for its plan. Here a leg's execution is that one. A [[SourceTable]] says itself which rows it has then; other tables
 *  are read again, by a query of the leg's. */
private[assay] object Statements {
  import Release.{Frame, Session}

  /** The text of the query that has a statement's answer. */
  private val Answer = TreeNodeTag[String]("assay.answer")

  /** `text`, a statement, analyzed under the present confs, and neither optimized nor run. Its answer is that of the
   *  query `answer` afterwards, or the rows of its table if that is empty. */
  def frame(spark: Session, text: String, answer: String): Frame = {
    val analyzed = execution(spark, spark.sessionState.sqlParser.parsePlan(text)).analyzed
    if (answer.nonEmpty) analyzed.setTagValue(Answer, answer)
    of(spark, analyzed)
  }

  /** The text of the query that has the answer of an analyzed statement; None for other plans. */
  def answer(analyzed: LogicalPlan): Option[String] = analyzed.getTagValue(Answer)

  /** An analyzed statement that has not been optimized yet. */
  def of(spark: Session, analyzed: LogicalPlan): Frame = Release.frame(execution(spark, analyzed))

  def isStatement(plan: LogicalPlan): Boolean = target(plan).isDefined || answer(plan).isDefined

  /** The table that an analyzed statement changes; None for a query. */
  def target(analyzed: LogicalPlan): Option[SourceTable] = analyzed match {
    case write: RowLevelWrite => table(write.originalTable)
    case write: V2WriteCommand => table(write.table)
    case delete: DeleteFromTable => table(delete.table)
    case _ => None
  }

  private def table(plan: LogicalPlan): Option[SourceTable] =
    plan.collectFirst { case relation: DataSourceV2Relation => relation.table }.collect { case table: SourceTable => table }

  /** Runs the statement as jobs: the rows that `target` has then. */
  def run(qe: QueryExecution, target: SourceTable): Array[InternalRow] = {
    LegRunner.inJobs(qe)
    target.afterwards.getOrElse(target.rows).toArray
  }

  /** `raised`, unless the statement that raised it has changed its table all the same. */
  def checked(target: Option[SourceTable], raised: Throwable): Throwable =
    if (target.exists(_.afterwards.isDefined)) {
      val broken = new PlanPromises.Broken("a statement that failed has changed its table")
      broken.initCause(raised)
      broken
    } else raised

  private def execution(spark: Session, plan: LogicalPlan): QueryExecution =
    new QueryExecution(spark, plan, mode = CommandExecutionMode.SKIP)
}
