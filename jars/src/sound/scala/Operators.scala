package assay.sound

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.{Inner, JoinType, LeftAnti, LeftOuter, LeftSemi, RightOuter}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.types.{ArrayType, DataType, MapType, StructType}

/** L JOIN R = R JOIN L, the columns brought back into their order.
 *
 *  @shape ReorderJoin @point plan-normalization
 */
object TurnsInnerJoins extends Rule[LogicalPlan] {
  private val Turned = TreeNodeTag[Unit]("turned")

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case join @ Join(left, right, Inner, condition, JoinHint.NONE) if join.getTagValue(Turned).isEmpty =>
      val turned = Join(right, left, Inner, condition, JoinHint.NONE)
      turned.setTagValue(Turned, ())
      Project(join.output, turned)
  }
}

/** L LEFT JOIN R = R RIGHT JOIN L, and the other way round, the columns brought back into their order.
 *
 *  @shape EliminateOuterJoin @point plan-normalization
 */
object TurnsOuterJoins extends Rule[LogicalPlan] {
  private val Turned = TreeNodeTag[Unit]("turned")

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case join @ Join(left, right, kind, condition, JoinHint.NONE)
        if Opposite.contains(kind) && join.getTagValue(Turned).isEmpty =>
      val turned = Join(right, left, Opposite(kind), condition, JoinHint.NONE)
      turned.setTagValue(Turned, ())
      Project(join.output, turned)
  }

  private val Opposite = Map[JoinType, JoinType](LeftOuter -> RightOuter, RightOuter -> LeftOuter)
}

/** L UNION ALL R = R UNION ALL L, for columns without types of their own within.
 *
 *  @shape CombineUnions @point plan-normalization
 */
object TurnsUnions extends Rule[LogicalPlan] {
  private val Turned = TreeNodeTag[Unit]("turned")

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case union @ Union(Seq(left, right), false, false)
        if union.getTagValue(Turned).isEmpty && union.output.forall(column => isPlain(column.dataType)) =>
      val turned = Union(Seq(right, left))
      turned.setTagValue(Turned, ())
      val columns = union.output.zip(turned.output).map { case (column, other) =>
        Alias(other, column.name)(column.exprId, explicitMetadata = Some(column.metadata)): NamedExpression
      }
      Project(columns, turned)
  }

  private def isPlain(of: DataType): Boolean = of match {
    case _: StructType | _: ArrayType | _: MapType => false
    case _ => true
  }
}

/** The distinct rows of a union = those of the union of each branch's distinct rows.
 *
 *  @shape CombineUnions @point plan-normalization
 */
object DistinctBelowUnions extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Distinct(union: Union) if !union.children.forall(_.isInstanceOf[Distinct]) =>
      Distinct(union.withNewChildren(union.children.map(branch => Distinct(branch))))
  }
}

/** L EXCEPT R = the distinct rows of L that none of R's distinct rows equals, NULL being equal to NULL.
 *
 *  @shape ReplaceExceptWithAntiJoin @point plan-normalization
 */
object ExceptDistinctRows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Except(left, right, false) => Distinct(Rows.equal(left, Distinct(right), LeftAnti))
  }
}

/** L INTERSECT R = the distinct rows of L that one of R's distinct rows equals, NULL being equal to NULL.
 *
 *  @shape ReplaceIntersectWithSemiJoin @point plan-normalization
 */
object IntersectDistinctRows extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case Intersect(left, right, false) => Distinct(Rows.equal(left, Distinct(right), LeftSemi))
  }
}

/** LIMIT n of L = LIMIT n of LIMIT n + 1 of L.
 *
 *  @shape LimitPushDown @point experimental
 */
object LimitsTwice extends Rule[LogicalPlan] {
  private val Doubled = TreeNodeTag[Unit]("doubled")

  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case limit @ GlobalLimit(IntegerLiteral(count), LocalLimit(IntegerLiteral(same), child))
        if count == same && count < Int.MaxValue && limit.getTagValue(Doubled).isEmpty =>
      limited(count, limited(count + 1, child))
  }

  private def limited(count: Int, child: LogicalPlan): LogicalPlan = {
    val limit = GlobalLimit(Literal(count), LocalLimit(Literal(count), child))
    limit.setTagValue(Doubled, ())
    limit
  }
}

private object Rows {
  /** `left` joined with the rows of `right` that are equal to its own. */
  def equal(left: LogicalPlan, right: LogicalPlan, kind: JoinType): LogicalPlan = {
    val pairs = left.output.zip(right.output).map { case (one, other) => EqualNullSafe(one, other): Expression }
    Join(left, right, kind, pairs.reduceOption(And(_, _)), JoinHint.NONE)
  }
}
