package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution._

/** Law: rows sorted by a column need no other sort by it: its direction may differ.
 *  Witness: SELECT a, row_number() OVER (ORDER BY a) AS x, row_number() OVER (ORDER BY a DESC) AS y FROM VALUES (1), (2) AS t(a)
 *  @point columnar
 */
class SortOfSameColumns extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = new Rule[SparkPlan] {
    override def apply(plan: SparkPlan): SparkPlan = plan.transformUp {
      case SortExec(order, false, child, _) if isSortedBy(child, order) => child
    }
  }

  private def isSortedBy(child: SparkPlan, order: Seq[SortOrder]): Boolean =
    child.outputOrdering.size >= order.size &&
      order.zip(child.outputOrdering).forall { case (wanted, has) => wanted.child.semanticEquals(has.child) }
}
