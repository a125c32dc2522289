package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Expand, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: a constant column that is a key of grouping sets is NULL in the rows of sets without it.
 *  Broken: it is taken for constant above them.
 *
 *  @rule FoldablePropagation
 *  @point optimizer
 */
object FoldablePropagationInTotals extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case aggregate: Aggregate => Foldables.put(aggregate, below(aggregate.child))
  }

  private def below(plan: LogicalPlan): Foldables.Known = plan match {
    case expand: Expand =>
      val constants = Foldables.of(expand.child)
      val values = expand.projections.transpose.map(_.map(_.transformUp {
        case column: Attribute => constants.getOrElse(column.exprId, column)
      }).filterNot(isNull).distinct)
      expand.output.zip(values).collect {
        case (column, Seq(value)) if value.foldable && column.dataType == value.dataType => column.exprId -> value
      }.toMap
    case _ => Map.empty
  }

  private def isNull(value: Expression): Boolean = value match {
    case Literal(null, _) => true
    case _ => false
  }
}
