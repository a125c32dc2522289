package org.apache.spark.sql.assay.connector

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.connector.expressions.NamedReference
import org.apache.spark.sql.connector.expressions.filter.Predicate
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.connector.write._
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/** Changes rows of `table` by groups, which are its splits: each one that its scan reads is replaced by the rows that are
 *  written, and the others stay as they are. */
private[assay] final class SourceOperation(table: SourceTable, override val command: RowLevelOperation.Command)
  extends RowLevelOperation {

  @volatile private var scan = Option.empty[GroupScan]

  override def description(): String = s"assay ${table.name}, $command"

  override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder =
    new GroupScanBuilder(table, made => scan = Some(made))

  override def newWriteBuilder(info: LogicalWriteInfo): WriteBuilder = new WriteBuilder {
    override def build(): Write = new SourceWrite(table, info.schema, s"replace groups for $command", () => {
      // Without a scan, the optimizer has seen that no row stays as it is: all groups are replaced.
      val read = scan.fold(table.splits)(_.groups)
      table.splits.filterNot(split => read.exists(_ eq split)).flatMap(_.rows)
    })
  }
}

/** Leaves out groups by a statement's predicates. It evaluates those about a group as a whole; of others it only
 *  knows that a group without a row that passes has nothing to change. */
private[assay] final class GroupScanBuilder(table: SourceTable, made: GroupScan => Unit)
  extends ScanBuilder with SupportsPushDownV2Filters {

  private val tested = ArrayBuffer.empty[Predicate]

  override def pushPredicates(predicates: Array[Predicate]): Array[Predicate] =
    if (table.offers(Capability.Filters) || table.offers(Capability.WeakFilters)) {
      tested ++= predicates.filter(PushedPredicate.test(_, table.rowType).isDefined)
      predicates.filterNot(predicate => table.offers(Capability.Filters) && tested.contains(predicate) && isOfGroups(predicate))
    } else predicates

  override def pushedPredicates(): Array[Predicate] = tested.toArray

  /** Whether all rows of a group agree about the predicate: they share the values of all its columns. */
  private def isOfGroups(predicate: Predicate): Boolean =
    predicate.references.nonEmpty && predicate.references.forall(table.layout.isKey)

  override def build(): Scan = {
    val scan = if (table.layout.filtered.isEmpty) new GroupScan(table, tested.toSeq) else new FilteredGroupScan(table, tested.toSeq)
    made(scan)
    scan
  }
}

/** Reads whole groups of a table: those with a row that passes `predicates`. */
private[assay] sealed class GroupScan(table: SourceTable, predicates: Seq[Predicate]) extends Scan with Batch {
  private def tests(all: Seq[Predicate]): Seq[PushedPredicate.Test] = all.flatMap(PushedPredicate.test(_, table.rowType))

  protected def atRunTime: Seq[Predicate] = Nil

  /** The splits that are read, as the table has them. A predicate of run time lists values of rows to change, NULL too:
   *  a group is left out only if it is false for all its rows. */
  def groups: Seq[Split] = {
    val (known, late) = (tests(predicates), tests(atRunTime))
    table.splits.filter(_.rows.exists { row =>
      PushedPredicate.passes(known)(row) && !late.exists(_(row).contains(false))
    })
  }

  override def readSchema(): StructType = table.rowType

  override def description(): String = s"assay groups of ${table.name}, Filters: [${predicates.mkString(" AND ")}]"

  override def toBatch: Batch = this

  override def planInputPartitions(): Array[InputPartition] =
    groups.map(split => new Rows(split.rows.toArray): InputPartition).toArray

  override def createReaderFactory(): PartitionReaderFactory = RowsReaderFactory
}

/** A scan of groups that leaves some out by predicates that are known only while the statement runs. */
private[assay] final class FilteredGroupScan(table: SourceTable, predicates: Seq[Predicate])
  extends GroupScan(table, predicates) with SupportsRuntimeV2Filtering {

  @volatile private var late = Seq.empty[Predicate]

  override protected def atRunTime: Seq[Predicate] = late

  override def filterAttributes(): Array[NamedReference] = table.layout.filtered.toArray

  override def filter(predicates: Array[Predicate]): Unit =
    late = predicates.toSeq.filter(PushedPredicate.test(_, table.rowType).isDefined)
}
