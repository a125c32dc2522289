package org.apache.spark.sql.assay

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.{classic, Row}
import org.apache.spark.sql.catalyst.encoders.RowEncoder
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.QueryExecution

/** The classes of a session and of a query's frame in this release, and other names that differ. */
object Release {
  type Session = classic.SparkSession
  type Frame = classic.DataFrame

  /** The class of the one argument that a rule's constructor may take, in the order in which it is looked for. */
  val sessionClasses: Seq[Class[_]] =
    Seq(classOf[classic.SparkSession], classOf[org.apache.spark.sql.SparkSession])

  def frame(session: Session, plan: LogicalPlan): Frame = classic.Dataset.ofRows(session, plan)

  def frame(execution: QueryExecution): Frame =
    new classic.Dataset[Row](execution, RowEncoder.encoderFor(execution.analyzed.schema))

  /** The error condition of `raised`, or null: some throwables have the interface and no condition. */
  def condition(raised: SparkThrowable): String = raised.getCondition
}
