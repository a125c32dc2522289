package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Expression, PredicateHelper, PythonUDF}
import org.apache.spark.sql.catalyst.plans.InnerLike
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.{JOIN, PYTHON_UDF}

/** Inner joins by functions in Python of columns of both sides. */
private[mutants] object PythonJoins extends PredicateHelper {

  /** `plan` with ON of these joins as `made` makes it of the parts with such a function and of the other parts. */
  def by(plan: LogicalPlan)(made: (Seq[Expression], Seq[Expression]) => Option[Expression]): LogicalPlan =
    plan.transformUpWithPruning(_.containsAllPatterns(PYTHON_UDF, JOIN)) {
      case join @ Join(_, _, _: InnerLike, Some(on), _) =>
        val (ofBoth, others) = splitConjunctivePredicates(on).partition(_.exists {
          case call: PythonUDF => !canEvaluate(call, join.left) && !canEvaluate(call, join.right)
          case _ => false
        })
        if (ofBoth.isEmpty) join else join.copy(condition = made(ofBoth, others))
    }
}
