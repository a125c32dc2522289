package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{Alias, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, SerializeFromObject}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: each column that is read has its own value.
 *  Broken: that of the first column of its type.
 *
 *  @rule ObjectSerializerPruning
 *  @point optimizer
 *  @since 4.3
 */
object ObjectSerializerPruningByPlace extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case read @ Project(_, rows: SerializeFromObject) if rows.serializer.exists(!read.references.contains(_)) =>
      val kept: Seq[NamedExpression] = rows.serializer.filter(read.references.contains).map {
        case column: Alias =>
          val first = rows.serializer.collectFirst {
            case other: Alias if other.dataType == column.dataType && other.nullable == column.nullable => other.child
          }
          column.withNewChildren(first.toSeq).asInstanceOf[NamedExpression]
        case column => column
      }
      read.copy(child = rows.copy(serializer = kept))
  }
}
