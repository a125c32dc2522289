package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{AttributeSet, Expression, WindowSpecDefinition}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, Window}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.WINDOW

/** Law: a window's input keeps the columns that the window is partitioned by, whatever is asked for above.
 *  Broken: those that nothing above asks for go, and the window counts the rows of several partitions as one.
 *
 *  @rule ColumnPruning
 *  @point optimizer
 */
object ColumnPruningUnaskedPartition extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.transformWithPruning(_.containsPattern(WINDOW)) {
      case project @ Project(_, window: Window) => project.copy(child = asked(window, project.references))
      case groups @ Grouped(_, _, window: Window) => groups.copy(child = asked(window, groups.references))
    }

  private def asked(window: Window, columns: AttributeSet): Window = {
    def left(partition: Seq[Expression]) = partition.filter(_.references.subsetOf(columns))
    val specified = window.transformExpressions { case spec: WindowSpecDefinition =>
      spec.copy(partitionSpec = left(spec.partitionSpec))
    }
    specified.copy(partitionSpec = left(window.partitionSpec))
  }
}
