package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{BinaryArithmetic, BinaryComparison, CaseWhen, Cast, Expression, If, IsNotNull, IsNull}

/** Operators on conditionals. */
private[mutants] object Branches {

  /** An operator whose operands are a conditional and else only constants: the conditional, as a CASE, and a function
   *  that makes the operator on one of its results. It matches only where all results but one are constants.
   */
  object Pushable {
    def unapply(operator: Expression): Option[(CaseWhen, Expression => Expression)] = operator match {
      case _: IsNull | _: IsNotNull | _: Cast | _: BinaryComparison | _: BinaryArithmetic =>
        val places = operator.children.indices.filter(place => conditional(operator.children(place)).isDefined)
        places.headOption.filter(place => operator.children.patch(place, Nil, 1).forall(_.foldable)).flatMap { place =>
          conditional(operator.children(place)).filter(atMostOneUnfoldable).map { found =>
            (found, (result: Expression) => operator.withNewChildren(operator.children.updated(place, result)))
          }
        }
      case _ => None
    }
  }

  /** The branches of `conditional` with `applied` on each result. */
  def each(conditional: CaseWhen, applied: Expression => Expression): Seq[(Expression, Expression)] =
    conditional.branches.map { case (asked, result) => asked -> applied(result) }

  private def conditional(operand: Expression): Option[CaseWhen] = operand match {
    case found: CaseWhen => Some(found)
    case If(asked, one, two) => Some(CaseWhen(Seq(asked -> one), Some(two)))
    case _ => None
  }

  private def atMostOneUnfoldable(conditional: CaseWhen): Boolean =
    (conditional.branches.map(_._2) ++ conditional.elseValue).count(!_.foldable) < 2
}
