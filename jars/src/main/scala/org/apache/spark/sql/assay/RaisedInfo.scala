package org.apache.spark.sql.assay

import org.apache.spark.SparkThrowable

/** How a leg failed, in plain values.
 *
 *  `condition` and `sqlState` are those of the first throwable in the chain of causes that has a condition, or null;
 *  `message` is the outermost throwable's, and below it those of its causes that say more; `classes` are the class names of the chain, outermost first, by commas.
 *  `internal`: Spark's own fault, whatever the query says; other values in two threads (see [[Siblings]]) are a wrong
 *  answer instead.
 *  `invalidPlan`: planChangeValidation refused a rule's result, or the rows broke what the plan promised of them.
 *  `timedOut`: the leg was cancelled; what it raised then says nothing about the query. */
final class RaisedInfo private[assay] (
    val condition: String,
    val sqlState: String,
    val message: String,
    val classes: String,
    val internal: Boolean,
    val invalidPlan: Boolean,
    val timedOut: Boolean) {

  private[assay] def asMap: java.util.Map[String, Any] = {
    val fields = new java.util.LinkedHashMap[String, Any]
    fields.put("condition", condition)
    fields.put("sqlState", sqlState)
    fields.put("message", message)
    fields.put("classes", classes.split(","))
    fields.put("internal", internal)
    fields.put("invalidPlan", invalidPlan)
    fields.put("timedOut", timedOut)
    fields
  }
}

private[assay] object RaisedInfo {
  /** A chain of causes may be a ring. */
  private val Depth = 20

  /** Faults of the program, not of the query: Spark's own subclasses of these carry a condition and don't count.
   *  The compiler of generated code is known by its package; an AssertionError may be the planner's "No plan". */
  private def isFault(e: Throwable): Boolean = e match {
    case spark: SparkThrowable if Release.condition(spark) != null =>
      Release.condition(spark).startsWith("INTERNAL_ERROR")
    case _: ClassCastException | _: NullPointerException | _: MatchError | _: IllegalStateException |
        _: AssertionError | _: IndexOutOfBoundsException | _: NegativeArraySizeException |
        _: NoSuchElementException | _: LinkageError | _: StackOverflowError => true
    case other => other.getClass.getName.startsWith("org.codehaus.")
  }

  /** Whether raise_error() threw `e`, on a Spark before 4.0: it has no condition, and is known by its place. */
  private def isRaisedByQuery(e: Throwable): Boolean = e.getClass == classOf[RuntimeException] &&
    e.getStackTrace.headOption.map(_.getClassName).exists { place =>
      place.endsWith(".RaiseError") || place.contains("GeneratedClass")
    }

  private def message(chain: List[Throwable]): String =
    chain.map(_.toString).foldLeft(List.empty[String]) { (said, next) =>
      if (said.exists(_.contains(next))) said else said :+ next
    }.mkString("\ncaused by ")

  /** Internal is a chain of causes with a fault of the program or INTERNAL_ERROR* anywhere in it, or without any
   *  condition. A plan that failed its validation, and a leg that ran out of time, have flags of their own. */
  def of(raised: Throwable, timedOut: Boolean = false): RaisedInfo = {
    val chain = Iterator.iterate(raised)(_.getCause).takeWhile(_ != null).take(Depth).toList
    val conditions = chain.collect { case e: SparkThrowable if Release.condition(e) != null => e }
    val first = conditions.headOption
    val byQuery = first.isEmpty && chain.exists(isRaisedByQuery)
    val invalid = conditions.exists(e => Release.condition(e).startsWith("PLAN_VALIDATION_FAILED")) ||
      chain.exists(_.isInstanceOf[PlanPromises.Broken])
    new RaisedInfo(
      first.map(Release.condition).getOrElse(if (byQuery) "USER_RAISED_EXCEPTION" else null),
      first.map(_.getSqlState).getOrElse(if (byQuery) "P0001" else null),
      message(chain),
      chain.map(_.getClass.getName).mkString(","),
      !invalid && !timedOut && !raised.isInstanceOf[Siblings.Differ] &&
        ((conditions.isEmpty && !byQuery) || chain.exists(isFault)),
      invalid,
      timedOut)
  }
}
