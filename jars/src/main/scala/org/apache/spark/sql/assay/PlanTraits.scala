package org.apache.spark.sql.assay

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.aggregate.{BaseAggregateExec, SortAggregateExec}
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, ReusedExchangeExec, ShuffleExchangeExec}
import org.apache.spark.sql.execution.joins.{BaseJoinExec, SortMergeJoinExec}
import org.apache.spark.sql.types.{DoubleType, FloatType}

/** The differences that an executed plan can't see, so that one of several databases stands for all of them.
 *
 *  Both questions are answered by what a plan is made of, and by lists of what is known: anything else can tell.
 *
 *  '''The order of rows.''' The result, as a bag, depends on the bags that the tables hold, and on nothing else, if each
 *  operator's result depends on the bags of its inputs alone. So it is with projections and filters of deterministic
 *  expressions, joins, unions, expansions, generators, exchanges and sorts (which move rows), and with aggregates of
 *  functions whose result doesn't depend on the order: counts, least and greatest values, sums of exact numbers. A limit,
 *  a window, `first`, and a sum of doubles can tell, and so can what merges sorted rows, unless a sort stands below it.
 *
 *  '''The names of values.''' Let p be a renaming of the values of a type that are not NULL. If all that a plan asks of
 *  values is whether two of them are equal, or NULL, then it gives p(R) over p(D) where it gives R over D: by induction
 *  over the plan. Two plans of which each has this property differ over p(D) just where they differ over D. An order, a
 *  computation, a constant, in an expression or in rows that the plan holds, and a cast can tell. The order of sorts can't:
 *  it moves rows. */
private[assay] object PlanTraits {
  /** Whether the result doesn't depend on the order of the tables' rows, but for its own order. */
  def ignoresOrder(plan: SparkPlan): Boolean = all(plan)(isOfBags, isOfRows)

  /** Whether the plan only asks of the tables' values which of them are equal, and which are NULL. */
  def ignoresNames(plan: SparkPlan): Boolean = all(plan)(node => isOfBags(node) && !holdsValues(node), onlyCompares)

  private def all(plan: SparkPlan)(node: SparkPlan => Boolean, expression: Expression => Boolean): Boolean =
    plan.subqueriesAll.isEmpty && !plan.exists(each => !node(each) || !asked(each).forall(expression))

  /** The expressions by which a node computes. Sorts and exchanges by anything but columns ask, too. */
  private def asked(node: SparkPlan): Seq[Expression] = node match {
    case aggregate: BaseAggregateExec => aggregate.groupingExpressions ++ aggregate.aggregateExpressions ++ aggregate.resultExpressions
    case other => other.expressions
  }

  private def holdsValues(node: SparkPlan): Boolean = node match {
    case local: LocalTableScanExec => local.rows.exists(row => local.output.indices.exists(!row.isNullAt(_)))
    case _ => false
  }

  private def isOfBags(node: SparkPlan): Boolean = node match {
    case _: SortMergeJoinExec | _: SortAggregateExec => node.children.zip(node.requiredChildOrdering).forall {
      case (sort: SortExec, wanted) => SortOrder.orderingSatisfies(sort.sortOrder, wanted)
      case (_, wanted) => wanted.isEmpty
    }
    case _: RDDScanExec | _: LocalTableScanExec | _: ProjectExec | _: FilterExec | _: UnionExec | _: ExpandExec |
        _: GenerateExec | _: SortExec | _: BroadcastExchangeExec | _: BaseAggregateExec | _: BaseJoinExec => true
    case exchange: ShuffleExchangeExec => !exchange.outputPartitioning.getClass.getSimpleName.startsWith("RoundRobin")
    case ReusedExchangeExec(_, child) => !child.exists(!isOfBags(_))
    case ReferenceOperatorExec(kind, _, _) => kind != ReferenceKind.Deduplicate
    case _ => false
  }

  private def isOfRows(expression: Expression): Boolean = expression.deterministic && !expression.exists {
    case _: Count | _: Min | _: Max => false
    case Sum(child, _) => !isExact(child)
    case _: AggregateFunction | _: PlanExpression[_] => true
    case _ => false
  }

  private def isExact(value: Expression): Boolean = value.dataType != DoubleType && value.dataType != FloatType

  private def onlyCompares(expression: Expression): Boolean = expression match {
    case Count(Seq(Literal(value, _))) => value != null
    case Literal(value, _) => value == null
    case _: Attribute | _: BoundReference | _: Alias | _: EqualTo | _: EqualNullSafe | _: And | _: Or | _: Not |
        _: IsNull | _: IsNotNull | _: Coalesce | _: SortOrder | _: AggregateExpression | _: Count =>
      expression.children.forall(onlyCompares)
    case partitioning => isPartitioning(partitioning) && partitioning.children.forall(onlyCompares)
  }

  /** Where rows are moved to. */
  private def isPartitioning(expression: Expression): Boolean =
    expression.isInstanceOf[org.apache.spark.sql.catalyst.plans.physical.Partitioning]
}
