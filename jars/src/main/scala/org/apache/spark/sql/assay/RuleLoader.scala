package org.apache.spark.sql.assay

import java.lang.reflect.{Constructor, Field, InvocationTargetException}

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.util.Utils

/** Turns a class name into a rule: a Scala `object`, a class without constructor arguments, or a class
 *  whose constructor takes the session. A failure is a value, one line of text: what an extension throws,
 *  Spark only logs. */
private[assay] object RuleLoader {
  type Maker = SparkSession => AnyRef

  /** How to make the rule called `className`, whose class has been loaded and is of `kind`. */
  def find(className: String, kind: RuleKind): Either[String, Maker] =
    attempt(className)(load(className + "$").filter(singleton(_).isDefined).toSeq ++ load(className)).flatMap {
      case Seq() => Left(s"$className: no such class on the class path")
      case found => found.find(kind.of) match {
        case None => Left(s"$className is not a ${kind.description}")
        case Some(rule) => maker(rule)
          .toRight(s"$className has no constructor without arguments, nor one that takes a SparkSession")
      }
    }

  /** Runs `make`; one line of text for whatever it throws. */
  def attempt[T](className: String)(make: => T): Either[String, T] =
    try Right(make) catch {
      case e: InvocationTargetException => Left(s"$className: ${oneLine(e.getCause)}")
      case e: LinkageError => Left(s"$className: ${oneLine(e)}")
      case NonFatal(e) => Left(s"$className: ${oneLine(e)}")
    }

  private def oneLine(e: Throwable): String = {
    val root = Option(e.getCause).filter(_ => e.isInstanceOf[ExceptionInInitializerError]).getOrElse(e)
    root.toString.linesIterator.next()
  }

  private def load(name: String): Option[Class[_]] =
    try Some(Utils.classForName[AnyRef](name, initialize = false)) catch {
      case _: ClassNotFoundException => None
    }

  private def singleton(candidate: Class[_]): Option[Field] =
    candidate.getFields.find(f => f.getName == "MODULE$" && f.getType == candidate)

  private def maker(rule: Class[_]): Option[Maker] = {
    def taking(arguments: Class[_]*): Option[Constructor[_]] =
      rule.getConstructors.find(_.getParameterTypes.sameElements(arguments))
    def made(c: Constructor[_], arguments: AnyRef*): AnyRef = c.newInstance(arguments: _*).asInstanceOf[AnyRef]

    singleton(rule).map(field => ((_: SparkSession) => field.get(null)): Maker)
      .orElse(taking().map(c => ((_: SparkSession) => made(c)): Maker))
      .orElse(Release.sessionClasses.flatMap(taking(_).toSeq).headOption
        .map(c => ((session: SparkSession) => made(c, session)): Maker))
  }
}
