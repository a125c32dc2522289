package planted

/** Small methods whose blocks one can count by hand; a line of each branch is its own. */
object Branches {
  def choose(first: Boolean): Int =
    if (first) 1
    else 2

  def loop(times: Int): Int = {
    var done = 0
    while (done < times)
      done += 1
    done
  }

  // The object is on the stack, not made yet, where the branches meet.
  def made(first: Boolean): String =
    new StringBuilder(
      if (first) "one"
      else "other").toString

  def eachMade(first: Boolean): AnyRef =
    if (first) new StringBuilder("one")
    else new Object

  def caught(divisor: Int): Int =
    try 1 / divisor
    catch { case _: ArithmeticException => -1 }

  def matched(any: Any): String = any match {
    case text: String => text
    case Pair(left, _) => left.toString
  }

  lazy val late: Int =
    if (loop(0) == 0) 3 else 4
}

final case class Pair(left: Int, right: Int = 1)
