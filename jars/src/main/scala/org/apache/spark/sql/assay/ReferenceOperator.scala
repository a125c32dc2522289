package org.apache.spark.sql.assay

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan

/** A set operator, Distinct or Deduplicate that no rule of Catalyst knows: neither a UnaryNode nor a
 *  BinaryNode, and every column of the inputs counts as used, or ColumnPruning would drop those that
 *  nothing above asks for. `keys` are the columns that Deduplicate compares; the others compare all. */
private[assay] case class ReferenceOperator(kind: ReferenceKind, keys: Seq[Attribute], inputs: Seq[LogicalPlan])
  extends LogicalPlan {

  override def children: Seq[LogicalPlan] = inputs

  override def output: Seq[Attribute] = ReferenceOperator.output(kind, inputs.map(_.output))

  @transient override lazy val references: AttributeSet = AttributeSet(inputs.flatMap(_.output))

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[LogicalPlan]): ReferenceOperator =
    copy(inputs = newChildren)
}

private[assay] object ReferenceOperator {
  /** The left input's columns; of an intersection, a column is nullable only when it is so on both sides. */
  def output(kind: ReferenceKind, inputs: Seq[Seq[Attribute]]): Seq[Attribute] = kind match {
    case ReferenceKind.Intersect | ReferenceKind.IntersectAll =>
      inputs.head.zip(inputs(1)).map { case (l, r) => l.withNullability(l.nullable && r.nullable) }
    case _ => inputs.head
  }
}
