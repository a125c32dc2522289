package org.apache.spark.sql.assay

/** One entry of `spark.assay.rules`: `[name=]fully.qualified.Class[@point][!off]`. */
private[assay] final case class RuleEntry(name: String, className: String, point: Point, on: Boolean) {
  def place: String = s"$className@${point.name}"
}

private[assay] object RuleEntry {
  private val Form = """(?:([^=@!\s]+)=)?([^=@!\s]+?)(?:@([^=@!\s]+))?(!off)?""".r

  /** The entries of a list separated by `;`, each as itself or as one line that says what is wrong with it. */
  def parseAll(list: String): Seq[Either[String, RuleEntry]] =
    list.split(";").toSeq.map(_.trim).filter(_.nonEmpty).map(parse)

  def parse(entry: String): Either[String, RuleEntry] = entry match {
    case Form(name, className, point, off) =>
      val place = Option(point).getOrElse(Point.Optimizer.name)
      Point.named(place) match {
        case Some(found) => Right(RuleEntry(Option(name).getOrElse(simple(className)), className, found, off == null))
        case None => Left(s"$entry: there is no point $place; the points are ${Point.all.map(_.name).mkString(", ")}")
      }
    case _ => Left(s"$entry: a rule is written [name=]fully.qualified.Class[@point][!off]")
  }

  /** `com.acme.Rules$Mine$` is called `Mine`. */
  private def simple(className: String): String = className.stripSuffix("$").split("[.$]").last
}
