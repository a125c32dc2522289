package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, GreaterThan, Literal}
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum
import org.apache.spark.sql.catalyst.plans.logical.{Except, Filter, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.EXCEPT

/** Law: `L EXCEPT ALL R`: 1 for each row of L and -1 for each of R, summed per whole row; rows whose sum is > 0, as
 *  often as their sum.
 *  Broken: the last column is no key, so (1, 2) on the left and (1, 3) on the right cancel out.
 *
 *  @rule RewriteExceptAll
 *  @point plan-normalization
 */
object RewriteExceptAllPartialGrouping extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.containsPattern(EXCEPT)) plan else plan.transformUpWithNewOutput {
      case Except(left, right, true) if left.output.nonEmpty =>
        val union = CountedRows.tagged(left, right, ("vcol", Literal(1L), Literal(-1L)))
        val columns = union.output.init
        val sum = Alias(Sum(union.output.last).toAggregateExpression(), "sum")()
        val counted = CountedRows.grouped(union, columns, keys = columns.init, more = Seq(sum))
        val kept = Filter(GreaterThan(sum.toAttribute, Literal(0L)), counted)
        val copies = CountedRows.replicated(sum.toAttribute, counted.output.init, kept)
        Output.as(left.output, copies.output, copies)
    }
}
