package org.apache.spark.sql.assay

import java.lang.reflect.Modifier
import java.nio.charset.StandardCharsets.ISO_8859_1

import scala.collection.mutable

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.util.Utils

/** Which logical operators a rule's class speaks of: the names of classes in its class file and in those nested in it. */
private[assay] object RuleReferences {
  private val Operator = """org/apache/spark/sql/catalyst/plans/logical/(\w+)""".r

  /** Simple names, sorted, of the operators that a plan can have; empty where the class files can't be read. */
  def operators(className: String): Seq[String] = {
    val seen = mutable.HashSet.empty[String]
    val found = mutable.TreeSet.empty[String]
    val nested = (java.util.regex.Pattern.quote(className.stripSuffix("$").replace('.', '/')) + """\$[\w$]*""").r
    def read(name: String): Unit = if (seen.add(name)) {
      bytes(name).foreach { text =>
        found ++= Operator.findAllMatchIn(text).map(_.group(1))
        nested.findAllIn(text).foreach(read)
      }
    }
    val path = className.stripSuffix("$").replace('.', '/')
    read(path)
    read(path + "$")
    found.toSeq.filter(isOperator)
  }

  private def bytes(name: String): Option[String] =
    Option(Utils.getContextOrSparkClassLoader.getResourceAsStream(name + ".class")).map { stream =>
      try new String(stream.readAllBytes(), ISO_8859_1) finally stream.close()
    }

  private def isOperator(name: String): Boolean = try {
    val found = Utils.classForName[AnyRef](s"org.apache.spark.sql.catalyst.plans.logical.$name", initialize = false)
    classOf[LogicalPlan].isAssignableFrom(found) && !Modifier.isAbstract(found.getModifiers)
  } catch {
    case _: ClassNotFoundException | _: LinkageError => false
  }
}
