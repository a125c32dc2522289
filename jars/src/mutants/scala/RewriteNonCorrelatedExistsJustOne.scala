package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, EqualTo, Exists, Literal, ScalarSubquery}
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Complete, Count}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: `EXISTS q` holds if q has a row, however many there are.
 *  Broken: if it has just one.
 *
 *  @rule RewriteNonCorrelatedExists
 *  @point plan-normalization
 */
object RewriteNonCorrelatedExistsJustOne extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Replaced.expressions(plan) {
    case exists: Exists if exists.children.isEmpty =>
      val rows = Alias(AggregateExpression(Count(Literal(1)), Complete, isDistinct = false), "rows")()
      EqualTo(ScalarSubquery(Aggregate(Nil, Seq(rows), exists.plan)), Literal(1L))
  }
}
