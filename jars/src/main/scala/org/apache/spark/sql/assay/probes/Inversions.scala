package org.apache.spark.sql.assay.probes

import java.util.LinkedHashMap

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.ObjectMapper

/** Inverts any one conditional of the optimizer's classes while the session runs, in a JVM that has the [[Agent]]. */
object Inversions {
  private val json = new ObjectMapper
  private var described = Seq.empty[LinkedHashMap[String, Any]]

  /** Has the conditionals of classes ask [[Conditionals]], none of them inverted; the classes are those that [[Probes]]
   *  would count in. To be called once in a JVM, which can't have probes then.
   *  @return one line for each class that couldn't be changed, with the reason */
  def begin(inPackages: String, rules: String, own: String): String = synchronized {
    val firsts = mutable.LinkedHashMap.empty[String, Int]
    val found = mutable.ArrayBuffer.empty[LinkedHashMap[String, Any]]
    Rewriting.scope(inPackages, rules, own).foreach { node =>
      firsts(node.name) = found.size
      Blocks.of(node).foreach { case MethodBlocks(method, _) =>
        Inverter.in(method).foreach { each =>
          val one = new LinkedHashMap[String, Any]
          one.put("class", node.name.replace('/', '.'))
          one.put("method", method.name + method.desc)
          one.put("file", Option(node.sourceFile).getOrElse(""))
          one.put("line", each.line)
          found += one
        }
      }
    }
    described = found.toSeq
    Conditionals.make(found.size)
    Rewriting.begin(firsts.toMap)(Inverter.withCalls)
    problems()
  }

  /** A line for each class that couldn't be changed, or '' */
  def problems(): String = Rewriting.problems

  /** The conditionals in the order of their numbers, as a JSON array: class, method, file and line of each. */
  def conditionals(): String = json.writeValueAsString(described.asJava)

  /** Inverts the conditional of this number, and no other one; -1 for none. */
  def invert(number: Int): Unit = Conditionals.invert(number)

  /** How often each conditional ran since the last call: see [[Sparse]]. */
  def take(): Array[Byte] = Sparse.taken(Conditionals.ran)
}
