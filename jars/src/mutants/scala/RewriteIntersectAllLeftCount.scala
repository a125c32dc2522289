package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, And, GreaterThanOrEqual, Literal}
import org.apache.spark.sql.catalyst.expressions.aggregate.Count
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Intersect, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.INTERSECT
import org.apache.spark.sql.types.BooleanType

/** Law: `L INTERSECT ALL R`: each row counted on either side; rows with both counts >= 1, as often as the lesser count.
 *  Broken: as often as on the left, so with two copies on the left and one on the right two are answered.
 *
 *  @rule RewriteIntersectAll
 *  @point plan-normalization
 */
object RewriteIntersectAllLeftCount extends Rule[LogicalPlan] {
  private val no = Literal(null, BooleanType)
  private val yes = Literal(true)

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.containsPattern(INTERSECT)) plan else plan.transformUpWithNewOutput {
      case intersect @ Intersect(left, right, true) =>
        val union = CountedRows.tagged(left, right, ("vcol1", yes, no), ("vcol2", no, yes))
        val columns = union.output.dropRight(2)
        val ours = Alias(Count(union.output(columns.size)).toAggregateExpression(), "vcol1_count")()
        val theirs = Alias(Count(union.output(columns.size + 1)).toAggregateExpression(), "vcol2_count")()
        val counted = CountedRows.grouped(union, columns, keys = columns, more = Seq(ours, theirs))
        val onBoth = And(
          GreaterThanOrEqual(ours.toAttribute, Literal(1L)), GreaterThanOrEqual(theirs.toAttribute, Literal(1L)))
        val times = Alias(ours.toAttribute, "times")()
        val kept = Project(columns :+ times, Filter(onBoth, counted))
        val copies = CountedRows.replicated(times.toAttribute, columns, kept)
        Output.as(intersect.output, copies.output, copies)
    }
}
