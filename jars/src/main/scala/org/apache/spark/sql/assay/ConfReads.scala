package org.apache.spark.sql.assay

import scala.jdk.CollectionConverters._

import org.apache.xbean.asm9.{ClassReader, Opcodes}
import org.apache.xbean.asm9.tree.{AbstractInsnNode, ClassNode, FieldInsnNode, LdcInsnNode, MethodInsnNode}

import org.apache.spark.internal.config.ConfigEntry
import org.apache.spark.sql.internal.SQLConf

/** The entries of Spark's configuration that code reads, by the instructions of its class files. */
private[assay] object ConfReads {
  private val Conf = "org/apache/spark/sql/internal/SQLConf"

  /** Keys, sorted: of the entries that `classes` read by their names in SQLConf's companion, or by a method of SQLConf
   *  that names them, and those that they have as texts. */
  def keys(classes: Seq[Array[Byte]]): Seq[String] = {
    val all = classes.flatMap(instructions)
    val texts = all.collect { case text: LdcInsnNode => text.cst }.collect {
      case key: String if key.startsWith("spark.") => key
    }
    val read = calls(all).flatMap { case (owner, name) =>
      if (owner == Conf + "$") Seq(name) else if (owner == Conf) entriesOf.getOrElse(name, Nil) else Nil
    }
    (texts ++ read.distinct.flatMap(key)).distinct.sorted
  }

  /** The names of the classes whose methods `classes` call, or whose one instance they hold, with slashes. */
  def used(classes: Seq[Array[Byte]]): Seq[String] = {
    val all = classes.flatMap(instructions)
    val held = all.collect { case field: FieldInsnNode if field.name == "MODULE$" => field.owner }
    (calls(all).map(_._1) ++ held).distinct
  }

  /** By name of a method of SQLConf, the names of the entries that it reads. */
  private lazy val entriesOf: Map[String, Seq[String]] = {
    val file = classOf[SQLConf].getResourceAsStream("SQLConf.class")
    val own = try node(file.readAllBytes()) finally file.close()
    own.methods.asScala.toSeq.groupBy(_.name).map { case (name, methods) =>
      name -> calls(methods.flatMap(_.instructions.iterator.asScala)).collect { case (owner, entry) if owner == Conf + "$" => entry }
    }
  }

  private def key(entry: String): Option[String] = try {
    Option(SQLConf.getClass.getMethod(entry).invoke(SQLConf)).collect { case found: ConfigEntry[_] => found.key }
  } catch {
    case _: ReflectiveOperationException => None // no entry, but a method with parameters
  }

  private def calls(all: Seq[AbstractInsnNode]): Seq[(String, String)] =
    all.collect { case call: MethodInsnNode if call.getOpcode != Opcodes.INVOKESPECIAL => call.owner -> call.name }

  private def instructions(bytes: Array[Byte]): Seq[AbstractInsnNode] =
    node(bytes).methods.asScala.toSeq.flatMap(_.instructions.iterator.asScala)

  private def node(bytes: Array[Byte]): ClassNode = {
    val found = new ClassNode
    new ClassReader(bytes).accept(found, ClassReader.SKIP_DEBUG)
    found
  }
}
