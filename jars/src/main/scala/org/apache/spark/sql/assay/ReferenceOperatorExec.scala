package org.apache.spark.sql.assay

import scala.collection.mutable

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeProjection}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.plans.physical.{AllTuples, Distribution, Partitioning, SinglePartition}
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.types.DataType

/** Runs a [[ReferenceOperator]] by its definition: all rows of each input in one partition, counted by
 *  [[RowKey]]; the first row of each key on the left is emitted as often as the kind's `copies` says. */
private[assay] case class ReferenceOperatorExec(kind: ReferenceKind, keys: Seq[Attribute], inputs: Seq[SparkPlan])
  extends SparkPlan {

  override lazy val metrics: Map[String, SQLMetric] =
    Map("numOutputRows" -> SQLMetrics.createMetric(sparkContext, "number of output rows"))

  override def children: Seq[SparkPlan] = inputs

  override def output: Seq[Attribute] = ReferenceOperator.output(kind, inputs.map(_.output))

  override def requiredChildDistribution: Seq[Distribution] = inputs.map(_ => AllTuples)

  override def outputPartitioning: Partitioning = SinglePartition

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[SparkPlan]): ReferenceOperatorExec =
    copy(inputs = newChildren)

  override protected def doExecute(): RDD[InternalRow] = {
    val emitted = longMetric("numOutputRows")
    val run = new ReferenceRun(kind, types(inputs.head), columns(inputs.head), types(inputs.last), columns(inputs.last))
    val left = onePartition(inputs.head.execute())
    val rows = inputs.drop(1).headOption match {
      case None => left.mapPartitions(run(_, Iterator.empty))
      case Some(right) => left.zipPartitions(onePartition(right.execute()))((l, r) => run(l, r))
    }
    rows.map { row =>
      emitted += 1
      row
    }
  }

  private def types(input: SparkPlan): Array[DataType] = input.output.map(_.dataType).toArray

  private def columns(input: SparkPlan): Array[Int] =
    if (kind == ReferenceKind.Deduplicate) keys.map(position(input)).toArray else input.output.indices.toArray

  private def position(input: SparkPlan)(key: Attribute): Int = {
    val found = input.output.indexWhere(_.exprId == key.exprId)
    assert(found >= 0, s"the key $key is not a column of $input")
    found
  }

  /** An empty input may come with no partition at all, which cannot be zipped. */
  private def onePartition(rows: RDD[InternalRow]): RDD[InternalRow] =
    if (rows.getNumPartitions == 0) sparkContext.parallelize(Seq.empty[InternalRow], 1) else rows
}

/** The work of one partition; holds no plan, since it goes to the executors. */
private[assay] final class ReferenceRun(
    kind: ReferenceKind,
    leftTypes: Array[DataType],
    leftColumns: Array[Int],
    rightTypes: Array[DataType],
    rightColumns: Array[Int]) extends Serializable {

  def apply(left: Iterator[InternalRow], right: Iterator[InternalRow]): Iterator[InternalRow] = {
    val rightCounts = mutable.HashMap.empty[AnyRef, Long].withDefaultValue(0L)
    right.foreach(row => rightCounts(RowKey.of(row.copy(), rightTypes, rightColumns)) += 1)
    val groups = mutable.LinkedHashMap.empty[AnyRef, Group]
    left.foreach { reused =>
      val row = reused.copy()
      groups.getOrElseUpdate(RowKey.of(row, leftTypes, leftColumns), new Group(row)).size += 1
    }
    val unsafe = UnsafeProjection.create(leftTypes)
    groups.iterator.flatMap { case (key, group) =>
      val row = unsafe(RowKey.canonical(group.first, leftTypes, leftColumns))
      Iterator.fill(kind.copies(group.size, rightCounts(key)).toInt)(row)
    }
  }

  private final class Group(val first: InternalRow) {
    var size = 0L
  }
}

/** Plans each [[ReferenceOperator]], and nothing else. */
private[assay] object ReferenceStrategy extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case ReferenceOperator(kind, keys, inputs) => ReferenceOperatorExec(kind, keys, inputs.map(planLater)) :: Nil
    case _ => Nil
  }
}
