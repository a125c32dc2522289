package org.apache.spark.sql.assay.probes

import java.lang.instrument.ClassFileTransformer
import java.nio.{ByteBuffer, ByteOrder}
import java.security.ProtectionDomain
import java.util.{LinkedHashMap, List => JavaList}
import java.util.concurrent.ConcurrentLinkedQueue

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.xbean.asm9.tree.ClassNode

/** Counts how often each basic block of the optimizer's classes runs, in a JVM that has the [[Agent]]. */
object Probes {
  private val json = new ObjectMapper
  private val faults = new ConcurrentLinkedQueue[String]
  private var held = Option.empty[Held]

  private final case class Held(firsts: Map[String, Int], described: Seq[LinkedHashMap[String, Any]], counts: Array[Int])

  /** Puts probes into all classes of the packages of the classes `inPackages`, into the classes `rules`, and into those of
   *  the source files of the classes `own`: names are separated by line ends. Classes that are loaded are changed in place,
   *  others as they are loaded. The counts start at 0. To be called once in a JVM.
   *  @return one line for each class that has no probes though it should, with the reason */
  def begin(inPackages: String, rules: String, own: String): String = synchronized {
    val instrumentation = Agent.instrumentation.getOrElse(throw new IllegalStateException("the JVM has no agent for probes"))
    require(held.isEmpty, "this JVM has probes")
    val names = lines(inPackages).flatMap(ClassFiles.inPackageOf) ++ lines(rules).flatMap(ClassFiles.withNested) ++
      lines(own).flatMap(ClassFiles.ofSameFile)
    val firsts = mutable.LinkedHashMap.empty[String, Int]
    val described = mutable.ArrayBuffer.empty[LinkedHashMap[String, Any]]
    var next = 0
    names.distinct.sorted.foreach { name =>
      ClassFiles.bytes(name).map(Blocks.read).foreach { node =>
        val methods = Blocks.of(node)
        if (methods.nonEmpty) {
          firsts(name) = next
          described += describe(node, methods, next)
          next += methods.map(_.blocks.size).sum
        }
      }
    }
    val state = Held(firsts.toMap, described.toSeq, Counts.make(next))
    held = Some(state)
    instrumentation.addTransformer(new Inserting(state.firsts), true)
    val loaded = instrumentation.getAllLoadedClasses.filter(each => firsts.contains(each.getName.replace('.', '/')))
    try instrumentation.retransformClasses(loaded: _*) catch {
      case _: Throwable => loaded.foreach { each => // one of them can't be changed: all others are
        try instrumentation.retransformClasses(each) catch { case fault: Throwable => faults.add(s"${each.getName}: $fault") }
      }
    }
    problems()
  }

  /** A line for each class that was to have probes and hasn't, or '' */
  def problems(): String = faults.asScala.mkString("\n")

  /** The blocks as a JSON array with an object for each class: its name and source file, the number of its first
   *  block, and its methods, each with the lines of its blocks, and why a query can't reach them ('' if it can). */
  def blocks(): String = json.writeValueAsString(state.described.asJava)

  /** The counts since the last call, which start at 0 again: number and count of each block that ran, four bytes each,
   *  the least significant first. */
  def take(): Array[Byte] = {
    val counts = state.counts
    val ran = counts.indices.filter(counts(_) != 0)
    val bytes = ByteBuffer.allocate(8 * ran.size).order(ByteOrder.LITTLE_ENDIAN)
    ran.foreach { number =>
      bytes.putInt(number).putInt(counts(number))
      counts(number) = 0
    }
    bytes.array
  }

  private def state: Held = held.getOrElse(throw new IllegalStateException("no probes yet"))

  private def lines(text: String): Seq[String] = text.linesIterator.filter(_.nonEmpty).map(_.replace('.', '/')).toSeq

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

  /** What is thrown here, the JVM drops in silence. */
  private final class Inserting(firsts: Map[String, Int]) extends ClassFileTransformer {
    override def transform(
        loader: ClassLoader, name: String, redefined: Class[_], domain: ProtectionDomain, bytes: Array[Byte]): Array[Byte] =
      firsts.get(name) match {
        case None => null
        case Some(first) =>
          // The bytes of a class in use are put together anew by the JVM; the numbers go by the class file.
          try Instrumenter.withProbes(Blocks.read(ClassFiles.bytes(name).getOrElse(bytes)), first) catch {
            case fault: Throwable =>
              faults.add(s"${name.replace('/', '.')}: $fault")
              null
          }
      }
  }
}
