package org.apache.spark.sql.assay.probes

import java.nio.{ByteBuffer, ByteOrder}
import java.util.{LinkedHashMap, List => JavaList}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.xbean.asm9.tree.ClassNode

/** Counts how often each basic block of the optimizer's classes runs, in a JVM that has the [[Agent]]. */
object Probes {
  private val json = new ObjectMapper
  private var held = Option.empty[Held]

  private final case class Held(described: Seq[LinkedHashMap[String, Any]], counts: Array[Int])

  /** Puts probes into all classes of the packages of the classes `inPackages`, into the classes `rules`, and into those of
   *  the source files of the classes `own`: see [[Rewriting]]. The counts start at 0. To be called once in a JVM.
   *  @return one line for each class that has no probes though it should, with the reason */
  def begin(inPackages: String, rules: String, own: String): String = synchronized {
    val firsts = mutable.LinkedHashMap.empty[String, Int]
    val described = mutable.ArrayBuffer.empty[LinkedHashMap[String, Any]]
    var next = 0
    Rewriting.scope(inPackages, rules, own).foreach { node =>
      val methods = Blocks.of(node)
      if (methods.nonEmpty) {
        firsts(node.name) = next
        described += describe(node, methods, next)
        next += methods.map(_.blocks.size).sum
      }
    }
    held = Some(Held(described.toSeq, Counts.make(next)))
    Rewriting.begin(firsts.toMap)(Instrumenter.withProbes)
    problems()
  }

  /** Takes the probes out of all classes until [[resume]]; counts stay as they are. */
  def pause(): Unit = Rewriting.pause()

  /** Puts the probes into the classes again. */
  def resume(): Unit = Rewriting.resume()

  /** A line for each class that was to have probes and hasn't, or '' */
  def problems(): String = Rewriting.problems

  /** The blocks as a JSON array with an object for each class: its name and source file, the number of its first
   *  block, and its methods, each with the lines of its blocks, and why a query can't reach them ('' if it can). */
  def blocks(): String = json.writeValueAsString(state.described.asJava)

  /** The counts since the last call, which start at 0 again: see [[Sparse]]. */
  def take(): Array[Byte] = Sparse.taken(state.counts)

  private def state: Held = held.getOrElse(throw new IllegalStateException("no probes yet"))

  private def describe(node: ClassNode, methods: Seq[MethodBlocks], first: Int): LinkedHashMap[String, Any] = {
    val told = new LinkedHashMap[String, Any]
    told.put("class", node.name.replace('/', '.'))
    told.put("file", Option(node.sourceFile).getOrElse(""))
    told.put("first", first)
    told.put("methods", methods.map { case MethodBlocks(method, blocks) =>
      val one = new LinkedHashMap[String, Any]
      one.put("name", method.name)
      one.put("type", method.desc)
      one.put("lines", blocks.map(_.lines.map(Integer.valueOf).asJava: JavaList[Integer]).asJava)
      one.put("unreachable", blocks.map(_.unreachable).asJava)
      one
    }.asJava)
    told
  }
}

/** Counts as bytes for Python. */
private[probes] object Sparse {
  /** Number and count of each of `counts` that isn't 0, four bytes each, the least significant first; all are 0 then. */
  def taken(counts: Array[Int]): Array[Byte] = {
    val ran = counts.indices.filter(counts(_) != 0)
    val bytes = ByteBuffer.allocate(8 * ran.size).order(ByteOrder.LITTLE_ENDIAN)
    ran.foreach { number =>
      bytes.putInt(number).putInt(counts(number))
      counts(number) = 0
    }
    bytes.array
  }
}
