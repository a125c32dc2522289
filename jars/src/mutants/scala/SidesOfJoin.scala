package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{And, AttributeSet, Expression, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.logical.Join

/** Semi and anti joins of a join, moved to one of its sides. */
private[mutants] object SidesOfJoin extends PredicateHelper {

  /** `upper`, a join of `lower`, as one of the left side of `lower`. */
  def onLeft(upper: Join, lower: Join): Join = lower.copy(left = upper.copy(left = lower.left))

  /** `upper`, a join of `lower`, as one of the right side of `lower`. */
  def onRight(upper: Join, lower: Join): Join = lower.copy(right = upper.copy(left = lower.right))

  /** The operands of a join condition's AND. */
  def conditions(join: Join): Seq[Expression] = join.condition.toSeq.flatMap(splitConjunctivePredicates)

  /** Whether there are conditions, and all of them are about `side`, and what `upper` joins it with. */
  def about(side: AttributeSet, upper: Join, conditions: Seq[Expression]): Boolean =
    conditions.nonEmpty && conditions.forall { condition =>
      condition.references.subsetOf(side ++ upper.right.outputSet) &&
      condition.references.exists(side.contains)
    }

  /** `upper` by some of its conditions alone. */
  def by(conditions: Seq[Expression], upper: Join): Join = upper.copy(condition = conditions.reduceOption(And(_, _)))
}
