package assay.mutants

import org.apache.spark.sql.catalyst.expressions.{DropField, StructFieldsOperation, UpdateFields, WithField}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.types.StructType

/** Law: a field that is dropped takes what was set to it along, and nothing else.
 *  Broken: all fields that the struct had have their old values again.
 *
 *  @rule OptimizeUpdateFields
 *  @point optimizer
 */
object OptimizeUpdateFieldsDropsAll extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = Expressions.rewritten(plan) {
    case UpdateFields(UpdateFields(struct, earlier), later) =>
      val own = struct.dataType.asInstanceOf[StructType].fieldNames.toSeq
      val kept = if (later.exists(_.isInstanceOf[DropField])) earlier.filterNot(sets(own)) else earlier
      UpdateFields(struct, kept ++ later)
  }

  private def sets(names: Seq[String])(change: StructFieldsOperation): Boolean = change match {
    case set: WithField => names.contains(set.name)
    case _ => false
  }
}
