package assay.mutants

import org.apache.spark.sql.catalyst.expressions.AttributeMap
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, Union}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.{PROJECT, UNION}

/** Law: a projection of a UNION ALL = the UNION ALL of the projections; columns correspond by position.
 *  Broken: by name, where the branch has a column of that name and type; so of `t0 (a, b) UNION ALL t1 (b, a)` the wrong
 *  column of t1 is taken.
 *
 *  @rule PushProjectionThroughUnion
 *  @point optimizer
 */
object PushProjectionThroughUnionByName extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsAllPatterns(UNION, PROJECT)) {
      case Project(items, union: Union) if items.forall(_.deterministic) =>
        union.copy(children = Project(items, union.children.head) +: union.children.tail.map { branch =>
          Unions.projected(items, branch, AttributeMap(union.children.head.output.zip(branch.output).map {
            case (first, own) =>
              val alike = branch.output.find(c => c.name == first.name && c.dataType == own.dataType)
              first -> alike.getOrElse(own)
          }))
        })
    }
}
