package org.apache.spark.sql.assay.probes

/** The methods that the conditional jumps of instrumented classes call: each returns 1 if the jump is to be taken, and
 *  0 otherwise. One conditional at a time can be inverted. A query runs on several threads, which may lose a count, but not all. */
object Conditionals {
  private val None = -1
  private val MostRuns = 30000000L

  private var counts = Array.empty[Int]
  @volatile private var inverted = None
  private var left = MostRuns

  /** Ends a query in which an inverted conditional has made a loop that doesn't end. */
  final class Loops extends RuntimeException("assay: an inverted conditional made a loop that does not end")

  private[probes] def make(size: Int): Unit = counts = new Array[Int](size)

  /** Inverts the conditional of this number, and no other one; -1 for none. */
  def invert(number: Int): Unit = {
    left = MostRuns
    inverted = number
  }

  /** How often each conditional ran. */
  private[probes] def ran: Array[Int] = counts

  def isZero(value: Int, number: Int): Int = decide(value == 0, number)
  def isNotZero(value: Int, number: Int): Int = decide(value != 0, number)
  def isNegative(value: Int, number: Int): Int = decide(value < 0, number)
  def isNotNegative(value: Int, number: Int): Int = decide(value >= 0, number)
  def isPositive(value: Int, number: Int): Int = decide(value > 0, number)
  def isNotPositive(value: Int, number: Int): Int = decide(value <= 0, number)
  def equal(left: Int, right: Int, number: Int): Int = decide(left == right, number)
  def notEqual(left: Int, right: Int, number: Int): Int = decide(left != right, number)
  def less(left: Int, right: Int, number: Int): Int = decide(left < right, number)
  def notLess(left: Int, right: Int, number: Int): Int = decide(left >= right, number)
  def greater(left: Int, right: Int, number: Int): Int = decide(left > right, number)
  def notGreater(left: Int, right: Int, number: Int): Int = decide(left <= right, number)
  def same(left: AnyRef, right: AnyRef, number: Int): Int = decide(left eq right, number)
  def notSame(left: AnyRef, right: AnyRef, number: Int): Int = decide(left ne right, number)
  def isNull(value: AnyRef, number: Int): Int = decide(value eq null, number)
  def isNotNull(value: AnyRef, number: Int): Int = decide(value ne null, number)

  private def decide(taken: Boolean, number: Int): Int = {
    counts(number) += 1
    if (inverted == None) {
      if (taken) 1 else 0
    } else {
      left -= 1
      if (left < 0) throw new Loops
      if (taken == (number == inverted)) 0 else 1
    }
  }
}
