package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, Expression, GetMapValue, NamedExpression}
import org.apache.spark.sql.catalyst.expressions.{OuterReference, SubExprUtils, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, UnaryNode}
import org.apache.spark.sql.catalyst.trees.TreePattern.OUTER_REFERENCE
import scala.collection.mutable

/** PullOutNestedDataOuterRefExpressions with parts of its own: Spark's finds no read in the subqueries then.
 *
 *  @since 4.0
 */
private[mutants] object MapReads {

  /** `plan` with the reads of maps in subqueries as columns of projections below these: reads share a column if they are
   *  the `same`, which `value` computes from the map and the key over the plan that `below` makes of its input.
   */
  def pulledOut(
      plan: LogicalPlan,
      same: (Expression, Expression) => Expression = GetMapValue(_, _),
      value: (Expression, Expression) => Expression = GetMapValue(_, _),
      below: (LogicalPlan, Seq[(Expression, Expression)]) => LogicalPlan = (child, _) => child): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(OUTER_REFERENCE)) { case node: UnaryNode =>
      val columns = mutable.LinkedHashMap.empty[Expression, Alias]
      val read = mutable.ArrayBuffer.empty[(Expression, Expression)]
      val changed = node.transformExpressions { case query: SubqueryExpression =>
        val inside = query.plan.transformAllExpressions {
          case found @ GetMapValue(OuterReference(map), key) if found.references.isEmpty =>
            val (outside, by) = (map.asInstanceOf[Expression], around(key))
            read += ((outside, by))
            val column = columns.getOrElseUpdate(same(outside, by).canonicalized, Alias(value(outside, by), "read")())
            OuterReference(column.toAttribute)
        }
        query.withNewPlan(inside).withNewOuterAttrs(SubExprUtils.getOuterReferences(inside))
      }
      if (columns.isEmpty) node
      else {
        val child = node.child
        val added: Seq[NamedExpression] = child.output ++ columns.values
        Project(node.output, changed.withNewChildren(Seq(Project(added, below(child, read.toSeq)))))
      }
    }

  /** `key` as it is outside of the subquery. */
  private def around(key: Expression): Expression = key.transform { case OuterReference(column) => column }
}
