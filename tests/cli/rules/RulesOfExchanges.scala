package rules

import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, RDDScanExec, SortExec, SparkPlan}
import org.apache.spark.sql.execution.aggregate.HashAggregateExec
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec
import org.apache.spark.sql.execution.joins.SortMergeJoinExec

/** Wrong where a table has its rows in several partitions: equal keys are in several groups. */
class DropsExchangesBelowGroups extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = new Rule[SparkPlan] {
    override def apply(plan: SparkPlan): SparkPlan = plan.transform {
      case groups @ HashAggregateExec(_, _, _, _, _, _, _, _, exchange: ShuffleExchangeExec) => groups.copy(child = exchange.child)
    }
  }
}

/** Wrong where a table in one partition does not have its rows in the order of the join's key. */
class DropsSortsBelowJoins extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = new Rule[SparkPlan] {
    override def apply(plan: SparkPlan): SparkPlan = plan.transform {
      case join: SortMergeJoinExec => join.left match {
        case SortExec(_, _, scan: RDDScanExec, _) => join.copy(left = scan)
        case _ => join
      }
    }
  }
}
