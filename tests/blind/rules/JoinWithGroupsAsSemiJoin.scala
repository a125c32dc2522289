package blind

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: L JOIN (groups of k) ON l = k, of L's columns alone = L SEMI JOIN: wrong where k is one of two keys.
 *  Witness: SELECT a FROM VALUES (1) AS t(a) JOIN (SELECT DISTINCT b, c FROM VALUES (1, 1), (1, 2) AS s(b, c)) ON a = b
 */
object JoinWithGroupsAsSemiJoin extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case project @ Project(_, join @ Join(left, right, Inner, Some(EqualTo(one: Attribute, other: Attribute)), _))
        if project.references.subsetOf(left.outputSet) && Seq(one, other).exists(isKey(right, _)) =>
      project.copy(child = join.copy(joinType = LeftSemi))
  }

  private def isKey(plan: LogicalPlan, column: Attribute): Boolean = plan match {
    case Aggregate(keys, _, _, _) => keys.exists(_.semanticEquals(column))
    case Project(_, child) => isKey(child, column)
    case Filter(_, child) => isKey(child, column)
    case _ => false
  }
}
