package org.apache.spark.sql.assay

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.{DataFrame, Dataset, Row, SparkSession}
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.QueryExecution

/** The classes of a session and of a query's frame in this release, and other names that differ. */
object Release {
  type Session = SparkSession
  type Frame = DataFrame

  /** The class of the one argument that a rule's constructor may take, in the order in which it is looked for. */
  val sessionClasses: Seq[Class[_]] = Seq(classOf[SparkSession])

  def frame(session: Session, plan: LogicalPlan): Frame = Dataset.ofRows(session, plan)

  def frame(execution: QueryExecution): Frame =
    new Dataset[Row](execution, ExpressionEncoder(execution.analyzed.schema))

  /** The error condition of `raised`, or null: some throwables have the interface and no condition. */
  def condition(raised: SparkThrowable): String = raised.getErrorClass
}
