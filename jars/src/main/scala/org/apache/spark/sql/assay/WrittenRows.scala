package org.apache.spark.sql.assay

import org.apache.hadoop.mapreduce.{Job, TaskAttemptID, TaskType}
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.{QueryExecution, SQLExecution}
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.SerializableConfiguration

/** The rows of a query as parquet files, one for each partition, which nobody collects. Columns are called c0, c1 and so
 *  on. The files are written by tasks of the query's own job, without a plan: no rule has a hand in it. */
private[assay] object WrittenRows {
  /** Raises what [[PlanPromises]] raises.
   *  @param folder where the files go; it must not exist
   *  @return how many rows there are */
  def write(qe: QueryExecution, folder: String): Long = {
    PlanPromises.checkTypes(qe.analyzed, qe.optimizedPlan)
    val withoutNull = PlanPromises.withoutNull(qe.optimizedPlan)
    val session = qe.sparkSession
    val schema = StructType(qe.analyzed.schema.fields.zipWithIndex.map { case (field, at) => field.copy(name = s"c$at") })
    val job = Job.getInstance(session.sessionState.newHadoopConf())
    SQLExecution.withNewExecutionId(qe, Some("assay")) {
      val factory = new ParquetFileFormat().prepareWrite(session, job, Map.empty, schema)
      val conf = new SerializableConfiguration(job.getConfiguration)
      val found = qe.executedPlan.execute()
      val rows =
        if (found.getNumPartitions > 0) found else session.sparkContext.parallelize(Seq.empty[InternalRow], 1)
      val written = rows.mapPartitionsWithIndex { (part, partition) =>
        val attempt = new TaskAttemptID("assay", 0, TaskType.MAP, part, TaskContext.get().attemptNumber())
        val writer = factory.newInstance(s"$folder/$part.parquet", schema, new TaskAttemptContextImpl(conf.value, attempt))
        var (count, broken) = (0L, Option.empty[Int])
        try partition.foreach { row =>
          if (broken.isEmpty) broken = withoutNull.find(row.isNullAt)
          writer.write(row)
          count += 1
        } finally writer.close()
        Iterator.single((count, broken))
      }.collect()
      written.flatMap(_._2).headOption.foreach(PlanPromises.brokenAt(qe.optimizedPlan, _))
      written.map(_._1).sum
    }
  }
}
