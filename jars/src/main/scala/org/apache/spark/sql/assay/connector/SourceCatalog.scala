package org.apache.spark.sql.assay.connector

import java.util.{Map => JavaMap}

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.catalyst.analysis.{NoSuchFunctionException, NoSuchTableException}
import org.apache.spark.sql.connector.catalog.{FunctionCatalog, Identifier, Table, TableCatalog, TableChange}
import org.apache.spark.sql.connector.catalog.functions.{BoundFunction, UnboundFunction}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.types.{IntegerType, StructType}
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/** Tables, and the functions by which they are partitioned, where Spark looks them up. It can't be changed by commands. */
private[assay] sealed trait SourceCatalog extends TableCatalog with FunctionCatalog {
  protected def tables: Seq[SourceTable]

  override def initialize(name: String, options: CaseInsensitiveStringMap): Unit = ()

  override def name: String = SourceCatalog.Name

  override def listTables(namespace: Array[String]): Array[Identifier] =
    tables.map(table => SourceCatalog.identifier(table.name)).toArray

  override def loadTable(ident: Identifier): Table =
    tables.find(table => SourceCatalog.identifier(table.name) == ident).getOrElse(throw new NoSuchTableException(ident))

  override def listFunctions(namespace: Array[String]): Array[Identifier] = Array(SourceCatalog.Bucket)

  override def loadFunction(ident: Identifier): UnboundFunction =
    if (ident == SourceCatalog.Bucket) UnboundBucket else throw new NoSuchFunctionException(ident)

  override def createTable(
      ident: Identifier, schema: StructType, partitions: Array[Transform], properties: JavaMap[String, String]): Table =
    refuse()

  override def alterTable(ident: Identifier, changes: TableChange*): Table = refuse()

  override def dropTable(ident: Identifier): Boolean = refuse()

  override def renameTable(oldIdent: Identifier, newIdent: Identifier): Unit = refuse()

  private def refuse(): Nothing = throw new UnsupportedOperationException(s"$name: its tables can't be made or dropped")
}

private[assay] object SourceCatalog {
  /** The first part of the names of tables in statements. */
  val Name = "assay"

  /** The tables that are loaded now, for [[LoadedTables]]. For all sessions: one check is made at a time. */
  @volatile private[connector] var loaded: Seq[SourceTable] = Nil

  /** A catalog of these tables, which are what statements see, too, until others are loaded. */
  def of(tables: Seq[SourceTable]): SourceCatalog = {
    loaded = tables
    new TogetherLoaded(tables)
  }

  /** The place of a table or function, which is in no namespace. */
  def identifier(name: String): Identifier = Identifier.of(Array.empty, name)

  private val Bucket = identifier("bucket")
}

/** The catalog of the tables that are loaded together. */
private[assay] final class TogetherLoaded(override protected val tables: Seq[SourceTable]) extends SourceCatalog

/** The catalog that statements look their tables up in: Spark makes it itself, once for a session, by its class's name. */
final class LoadedTables extends SourceCatalog {
  override protected def tables: Seq[SourceTable] = SourceCatalog.loaded
}

/** A catalog for sessions that Assay has not set up, as those of witnesses are: CREATE TABLE makes an empty table, whose
 *  property `capabilities` lists words of [[Capability]], one a line, and statements change it for good. */
final class StoredTables extends SourceCatalog {
  private val stored = TrieMap.empty[String, SourceTable]

  override protected def tables: Seq[SourceTable] = stored.values.toSeq

  override def createTable(
      ident: Identifier, schema: StructType, partitions: Array[Transform], properties: JavaMap[String, String]): Table = {
    val words = Option(properties.get("capabilities")).fold(Set.empty[String])(Capability.read)
    val made = SourceTable(ident.name, schema, Nil, words, partitions = 1, place = 0)
    stored.put(ident.name, made)
    made
  }

  /** The table with the rows that the last statement has left. */
  override def loadTable(ident: Identifier): Table = {
    for (table <- stored.get(ident.name); rows <- table.afterwards) stored.put(ident.name, table.holding(rows))
    super.loadTable(ident)
  }
}

private[assay] object UnboundBucket extends UnboundFunction {
  override def name: String = "bucket"

  override def description: String = "bucket(count, value): the number of a value's bucket"

  override def bind(inputType: StructType): BoundFunction = inputType.map(_.dataType) match {
    case Seq(IntegerType, dataType) if BucketFunction.supports(dataType) => BucketFunction(dataType)
    case types => throw new UnsupportedOperationException(s"$name(${types.mkString(", ")})")
  }
}
