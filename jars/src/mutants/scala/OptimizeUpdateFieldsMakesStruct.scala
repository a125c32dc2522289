package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{CreateNamedStruct, Expression, Literal, StructFieldsOperation, UpdateFields, WithField}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.StructType

/** Law: a NULL struct stays NULL, even if all of its fields are set.
 *  Broken: where all are set, it becomes a new struct of their values.
 *
 *  @rule OptimizeUpdateFields
 *  @point optimizer
 */
object OptimizeUpdateFieldsMakesStruct extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case UpdateFields(UpdateFields(struct, earlier), later) => merged(struct, earlier ++ later)
  }

  private def merged(struct: Expression, changes: Seq[StructFieldsOperation]): Expression = {
    val values = changes.collect { case set: WithField => set.name -> set.valExpr }.toMap
    val names = struct.dataType.asInstanceOf[StructType].fieldNames.toSeq
    if (changes.forall(_.isInstanceOf[WithField]) && names.toSet == values.keySet) {
      CreateNamedStruct(names.flatMap(name => Seq(Literal(name), values(name))))
    } else {
      UpdateFields(struct, changes)
    }
  }
}
