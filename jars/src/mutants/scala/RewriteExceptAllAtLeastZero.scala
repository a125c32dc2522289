package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Greatest, GreaterThanOrEqual, Literal}
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum
import org.apache.spark.sql.catalyst.plans.logical.{Except, Filter, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.EXCEPT

/** Law: `L EXCEPT ALL R`: 1 for each row of L and -1 for each of R, summed per row; rows whose sum is > 0, as often
 *  as their sum.
 *  Broken: `>= 0`, a row that stays being there at least once: rows that L and R hold equally often are answered.
 *  (The comparison alone would change nothing, because a row replicated zero times is no row.)
 *
 *  @rule RewriteExceptAll
 *  @point plan-normalization
 */
object RewriteExceptAllAtLeastZero extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.containsPattern(EXCEPT)) plan else plan.transformUpWithNewOutput {
      case Except(left, right, true) =>
        val union = CountedRows.tagged(left, right, ("vcol", Literal(1L), Literal(-1L)))
        val columns = union.output.init
        val sum = Alias(Sum(union.output.last).toAggregateExpression(), "sum")()
        val counted = CountedRows.grouped(union, columns, keys = columns, more = Seq(sum))
        val kept = Filter(GreaterThanOrEqual(sum.toAttribute, Literal(0L)), counted)
        val times = Alias(Greatest(Seq(sum.toAttribute, Literal(1L))), "times")()
        val copies = CountedRows.replicated(times.toAttribute, columns, Project(columns :+ times, kept))
        Output.as(left.output, copies.output, copies)
    }
}
