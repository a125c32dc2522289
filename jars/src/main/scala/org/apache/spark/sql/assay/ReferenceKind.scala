package org.apache.spark.sql.assay

import org.apache.spark.sql.catalyst.plans.logical._

/** The operators that have a reference, by the names that `spark.assay.reference` takes. Counting copies
 *  of whole rows, with `l` and `r` copies of a row on the left and on the right, `copies` are emitted. */
private[assay] sealed abstract class ReferenceKind(val name: String, val copies: (Long, Long) => Long)
  extends Serializable {
  override def toString: String = name
}

private[assay] object ReferenceKind {
  private val once: (Long, Long) => Long = (l, _) => math.min(l, 1)

  case object Except extends ReferenceKind("Except", (l, r) => if (l > 0 && r == 0) 1 else 0)
  case object ExceptAll extends ReferenceKind("ExceptAll", (l, r) => math.max(0, l - r))
  case object Intersect extends ReferenceKind("Intersect", (l, r) => if (l > 0 && r > 0) 1 else 0)
  case object IntersectAll extends ReferenceKind("IntersectAll", (l, r) => math.min(l, r))
  case object Distinct extends ReferenceKind("Distinct", once)
  case object Deduplicate extends ReferenceKind("Deduplicate", once)

  val Conf = "spark.assay.reference"

  val all: Seq[ReferenceKind] = Seq(Except, ExceptAll, Intersect, IntersectAll, Distinct, Deduplicate)

  /** The names that a value of `spark.assay.reference` lists, by commas. */
  def names(value: String): Set[String] = value.split(",").map(_.trim).filter(_.nonEmpty).toSet

  /** The kinds of operators among these names. */
  def listed(value: String): Set[ReferenceKind] =
    (names(value) - InterpretedFunctions.Name).map { name =>
      all.find(_.name == name).getOrElse(
        throw new IllegalArgumentException(s"$Conf: no $name among ${all.mkString(", ")}"))
    }

  def of(plan: LogicalPlan): Option[ReferenceKind] = plan match {
    case e: Except => Some(if (e.isAll) ExceptAll else Except)
    case i: Intersect => Some(if (i.isAll) IntersectAll else Intersect)
    case _: Distinct => Some(Distinct)
    case _: Deduplicate => Some(Deduplicate)
    case _ => None
  }
}
