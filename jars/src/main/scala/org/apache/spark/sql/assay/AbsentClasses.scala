package org.apache.spark.sql.assay

import java.util.concurrent.ConcurrentHashMap

/** A class loader that remembers the names of classes that `parent` hasn't got.
 *
 *  The compiler of generated code asks for several classes of every name that it reads, nearly none of which exists, and
 *  each is looked for in all of Spark's jars: a seventh of the time of a check with generated code. A class path
 *  doesn't change while a JVM runs; jars that are added later have class loaders of their own, below this one. */
final class AbsentClasses(parent: ClassLoader) extends ClassLoader(parent) {
  private val names = ConcurrentHashMap.newKeySet[String]

  /** The number of names that are remembered. */
  def remembered: Int = names.size

  override def loadClass(name: String, resolve: Boolean): Class[_] =
    if (names.contains(name)) throw new AbsentClasses.Absent(name)
    else try parent.loadClass(name) catch {
      case absent: ClassNotFoundException =>
        if (names.size >= AbsentClasses.Most) names.clear()
        names.add(name)
        throw absent
    }
}

object AbsentClasses {
  /** So many names are remembered: those of some thousand queries. */
  private[assay] val Most = 50000

  /** Without a stack, which would take longer than all else. */
  private final class Absent(name: String) extends ClassNotFoundException(name) {
    override def fillInStackTrace(): Throwable = this
  }

  /** Has this thread, and all that it starts from now on, remember absent classes. */
  def remember(): Unit = {
    val thread = Thread.currentThread
    thread.getContextClassLoader match {
      case _: AbsentClasses => ()
      case loader => thread.setContextClassLoader(new AbsentClasses(loader))
    }
  }
}
