package org.apache.spark.sql.assay.probes

import java.io.File
import java.net.{JarURLConnection, URL}
import java.nio.file.{Files, Paths}

import scala.jdk.CollectionConverters._

import org.apache.xbean.asm9.tree.ClassNode

import org.apache.spark.util.Utils

/** Class files of the class path, by the classes' names as class files have them: `a/b/C$D`. None is loaded. */
private[probes] object ClassFiles {
  def bytes(name: String): Option[Array[Byte]] = Option(loader.getResourceAsStream(name + ".class")).map { stream =>
    try stream.readAllBytes() finally stream.close()
  }

  /** The classes of the package of the class `name`, or below it. */
  def inPackageOf(name: String): Seq[String] = beside(name).filter(_.startsWith(packageOf(name)))

  /** The class `name` with its companion and what is nested in them: an object's name may be given without its $. */
  def withNested(name: String): Seq[String] = {
    val outer = name.stripSuffix("$")
    beside(outer).filter(each => each == outer || each.startsWith(outer + "$"))
  }

  /** The same, and all classes of the same source file. */
  def ofSameFile(name: String): Seq[String] = {
    val own = withNested(name)
    val sources = own.flatMap(source).toSet
    val others = inPackageOf(name).filter(each => packageOf(each) == packageOf(name) && source(each).exists(sources))
    (own ++ others).distinct
  }

  private def source(name: String): Option[String] =
    bytes(name).map(Blocks.read).flatMap((node: ClassNode) => Option(node.sourceFile))

  private def packageOf(name: String): String = name.substring(0, name.lastIndexOf('/') + 1)

  /** All classes of the jar or folder that has the class `name`, or else its companion. */
  private def beside(name: String): Seq[String] =
    Option(loader.getResource(name + ".class")).orElse(Option(loader.getResource(name + "$.class"))).toSeq.flatMap { url =>
      entries(url, name).filter(_.endsWith(".class")).map(_.stripSuffix(".class"))
    }

  private def entries(url: URL, name: String): Seq[String] = url.openConnection() match {
    case jar: JarURLConnection =>
      jar.setUseCaches(false)
      val file = jar.getJarFile
      try file.entries.asScala.map(_.getName).toList finally file.close()
    case _ =>
      val root = Paths.get(url.toURI).iterator.asScala.toSeq.dropRight(name.count(_ == '/') + 1)
      val folder = root.foldLeft(Paths.get("/"))(_.resolve(_))
      val walked = Files.walk(folder)
      try walked.iterator.asScala.map(folder.relativize(_).toString.replace(File.separatorChar, '/')).toList
      finally walked.close()
  }

  private def loader: ClassLoader = Utils.getContextOrSparkClassLoader
}
