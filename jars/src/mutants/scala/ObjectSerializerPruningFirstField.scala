package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{CreateNamedStruct, NamedExpression}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, SerializeFromObject}
import org.apache.spark.sql.catalyst.rules.Rule

/** Law: each field of a struct that is read has its own value.
 *  Broken: that of the first field of its type.
 *
 *  @rule ObjectSerializerPruning
 *  @point optimizer
 *  @since 4.3
 */
object ObjectSerializerPruningFirstField extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.transform {
    case read @ Project(_, rows: SerializeFromObject) if rows.serializer.exists(!read.references.contains(_)) =>
      val kept = rows.serializer.filter(read.references.contains).map(_.transform {
        case made: CreateNamedStruct =>
          CreateNamedStruct(made.nameExprs.zip(made.valExprs).flatMap { case (name, value) =>
            Seq(name, made.valExprs.find(other =>
              other.dataType == value.dataType && other.nullable == value.nullable).getOrElse(value))
          })
      }.asInstanceOf[NamedExpression])
      read.copy(child = rows.copy(serializer = kept))
  }
}
