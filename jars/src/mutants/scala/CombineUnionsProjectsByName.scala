package assay.mutants

import org.apache.spark.sql.catalyst.expressions.AttributeMap
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{PROJECT, UNION}

/** Law: a projection between two unions is one of each of the lower one's branches; columns correspond by position.
 *  Broken: by name, where the branch has a column of that name and type; so of `t0 (a, b) UNION ALL t1 (b, a)` the wrong
 *  column of t1 is taken.
 *
 *  @rule CombineUnions
 *  @point plan-normalization
 */
object CombineUnionsProjectsByName extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(UNION, PROJECT)) {
      case union: Union => Unions.flattened(union) {
        case Project(items, lower: Union) if items.forall(_.deterministic) =>
          Project(items, lower.children.head) +: lower.children.tail.map { branch =>
            Unions.projected(items, branch, AttributeMap(lower.children.head.output.zip(branch.output).map {
              case (first, own) =>
                val alike = branch.output.find(c => c.name == first.name && c.dataType == own.dataType)
                first -> alike.getOrElse(own)
            }))
          }
      }
    }
}
