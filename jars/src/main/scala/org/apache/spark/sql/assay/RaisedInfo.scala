package org.apache.spark.sql.assay

import org.apache.spark.SparkThrowable

/** How a leg failed, in plain values.
 *
 *  `condition` and `sqlState` are those of the first throwable in the chain of causes that has a condition, or null;
 *  `message` is the outermost throwable's; `classes` are the class names of the chain, outermost first, by commas.
 *  `internal`: Spark's own fault, whatever the query says (see [[RaisedInfo.of]]).
 *  `invalidPlan`: planChangeValidation refused a rule's result.
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

object RaisedInfo {
  private val Depth = 20

  /** Faults of the program, not of the query. The compiler's are known by name: janino is not always on the class path
   *  of whoever compiles this. An AssertionError is the planner's "No plan for". */
  private def isFault(e: Throwable): Boolean = e match {
    case _: ClassCastException | _: NullPointerException | _: MatchError | _: IllegalStateException |
        _: AssertionError | _: IndexOutOfBoundsException | _: NoSuchElementException | _: LinkageError |
        _: StackOverflowError | _: NegativeArraySizeException => true
    case other => other.getClass.getName.startsWith("org.codehaus.")
  }

  /** Internal is INTERNAL_ERROR* anywhere in the chain, a fault of the program anywhere in it, an error without any
   *  condition, and a plan that failed its validation is not: it has a flag of its own. */
  def of(raised: Throwable, timedOut: Boolean = false): RaisedInfo = {
    val chain = Iterator.iterate(raised)(_.getCause).takeWhile(_ != null).take(Depth).toList
    val conditions = chain.collect { case e: SparkThrowable if Release.condition(e) != null => e }
    val named = conditions.headOption
    val invalid = conditions.exists(e => Release.condition(e).startsWith("PLAN_VALIDATION_FAILED"))
    val fault = conditions.isEmpty || chain.exists(isFault) ||
      conditions.exists(e => Release.condition(e).startsWith("INTERNAL_ERROR"))
    new RaisedInfo(
      named.map(Release.condition).orNull,
      named.map(_.getSqlState).orNull,
      raised.toString,
      chain.map(_.getClass.getName).mkString(","),
      fault && !invalid && !timedOut,
      invalid,
      timedOut)
  }
}
