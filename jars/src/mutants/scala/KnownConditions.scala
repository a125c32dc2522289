package assay.mutants

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{Filter, GlobalLimit, LocalLimit, LogicalPlan, Sort}

/** Conditions that are taken for known of the rows below a filter, and so leave it. */
private[mutants] object KnownConditions {

  /** `filter` without those of its operands that are `known`; the same filter if there is none. */
  def pruned(filter: Filter)(known: Expression => Boolean): LogicalPlan = {
    val (gone, left) = Pushdown.conjuncts(filter.condition).partition(c => Pushdown.isPlain(c) && known(c))
    if (gone.isEmpty) filter else Pushdown.filtered(left, filter.child)
  }

  /** The operands of a filter's condition, and of the one right below a limit. */
  def of(plan: LogicalPlan): Seq[Expression] = plan match {
    case Filter(condition, _) => Pushdown.conjuncts(condition)
    case GlobalLimit(_, child) => of(child)
    case LocalLimit(_, child) => of(child)
    case sort: Sort => of(sort.child)
    case _ => Nil
  }
}
