package org.apache.spark.sql.assay.probes

import java.lang.instrument.{ClassFileTransformer, Instrumentation}
import java.security.ProtectionDomain
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import org.apache.xbean.asm9.tree.ClassNode

/** Changes classes of this JVM by the [[Agent]]: those that are loaded in place, the others as they are loaded. */
private[probes] object Rewriting {
  private val faults = new ConcurrentLinkedQueue[String]
  private var changing = Option.empty[Transformer]

  /** The classes of the packages of `inPackages`, those called `rules` with what is nested in them, and those of the source
   *  files of `own`, in a fixed order. In each text names are separated by line ends. */
  def scope(inPackages: String, rules: String, own: String): Seq[ClassNode] = {
    val names = lines(inPackages).flatMap(ClassFiles.inPackageOf) ++ lines(rules).flatMap(ClassFiles.withNested) ++
      lines(own).flatMap(ClassFiles.ofSameFile)
    names.distinct.sorted.flatMap(ClassFiles.bytes(_)).map(Blocks.read)
  }

  /** Gives each class of `firsts` the class file that `rewrite` makes of it and of its number. To be called once in a JVM. */
  def begin(firsts: Map[String, Int])(rewrite: (ClassNode, Int) => Array[Byte]): Unit = synchronized {
    val instrumentation = Agent.instrumentation.getOrElse(throw new IllegalStateException("the JVM has no agent for probes"))
    require(changing.isEmpty, "the classes of this JVM have been changed before")
    val transformer = new Transformer(firsts, rewrite)
    changing = Some(transformer)
    instrumentation.addTransformer(transformer, true)
    retransform(instrumentation, transformer)
  }

  /** Gives the classes that [[begin]] changed their own class files again, until [[resume]]. */
  def pause(): Unit = synchronized {
    for (instrumentation <- Agent.instrumentation; transformer <- changing) {
      instrumentation.removeTransformer(transformer)
      retransform(instrumentation, transformer)
    }
  }

  /** Changes the classes as [[begin]] did. */
  def resume(): Unit = synchronized {
    for (instrumentation <- Agent.instrumentation; transformer <- changing) {
      instrumentation.removeTransformer(transformer)
      instrumentation.addTransformer(transformer, true)
      retransform(instrumentation, transformer)
    }
  }

  private def retransform(instrumentation: Instrumentation, transformer: Transformer): Unit = {
    val loaded = instrumentation.getAllLoadedClasses.filter(each => transformer.changes(each.getName.replace('.', '/')))
    try instrumentation.retransformClasses(loaded: _*) catch {
      case _: Throwable => loaded.foreach { each => // one of them can't be changed: all others are
        try instrumentation.retransformClasses(each) catch { case fault: Throwable => faults.add(s"${each.getName}: $fault") }
      }
    }
  }

  /** A line for each class that was to be changed and wasn't, or '' */
  def problems: String = faults.asScala.mkString("\n")

  private def lines(text: String): Seq[String] = text.linesIterator.filter(_.nonEmpty).map(_.replace('.', '/')).toSeq

  /** The JVM drops in silence whatever is thrown here. */
  private final class Transformer(firsts: Map[String, Int], rewrite: (ClassNode, Int) => Array[Byte]) extends ClassFileTransformer {
    def changes(name: String): Boolean = firsts.contains(name)

    override def transform(
        loader: ClassLoader, name: String, redefined: Class[_], domain: ProtectionDomain, bytes: Array[Byte]): Array[Byte] =
      firsts.get(name) match {
        case None => null
        case Some(first) =>
          // The bytes of a class in use are put together anew by the JVM; the numbers go by the class file.
          try rewrite(Blocks.read(ClassFiles.bytes(name).getOrElse(bytes)), first) catch {
            case fault: Throwable =>
              faults.add(s"${name.replace('/', '.')}: $fault")
              null
          }
      }
  }
}
