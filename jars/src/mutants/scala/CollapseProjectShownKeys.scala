package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, AliasHelper, Attribute}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.PROJECT

/** Law: a projection of an aggregate = an aggregate by the same keys, whichever of them are asked for.
 *  Broken: by those alone that are.
 *
 *  @rule CollapseProject
 *  @point optimizer
 */
object CollapseProjectShownKeys extends Rule[LogicalPlan] with AliasHelper {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformUpWithPruning(_.containsPattern(PROJECT)) {
      case project @ Project(items, aggregate: Aggregate) if items.forall {
            case _: Attribute | Alias(_: Attribute, _) => true
            case _ => false
          } =>
        val shown = items.map(replaceAliasButKeepName(_, getAliasMap(aggregate.aggregateExpressions)))
        val asked = shown.map {
          case Alias(child, _) => child
          case other => other
        }
        val keys = aggregate.groupingExpressions.filter(key => asked.exists(_.exists(_.semanticEquals(key))))
        if (keys.isEmpty) project else aggregate.copy(groupingExpressions = keys, aggregateExpressions = shown)
    }
}
