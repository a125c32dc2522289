package org.apache.spark.sql.assay

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan, SparkStrategy}

/** One injected rule of every session: `make` builds it for a session, each shape wraps it in a switch.
 *  A rule that cannot be made does nothing, and `report` is told why. */
private[assay] final class Slot(
    onByDefault: Boolean,
    name: AnyRef => String,
    make: SparkSession => Either[String, AnyRef],
    report: String => Unit) {

  /** Makes the rule for its problem alone: Spark makes the rules of most points only for the first plan. */
  def attempt(session: SparkSession): Unit = make(session).left.foreach(report)

  def logical(session: SparkSession): Rule[LogicalPlan] = logical(session, LogicalSwitch.Plain)

  def normalization(session: SparkSession): Rule[LogicalPlan] = logical(session, CleanPlan.Around)

  private def logical(session: SparkSession, around: LogicalSwitch.Around): Rule[LogicalPlan] =
    build(session, Slot.Unchanged: Rule[LogicalPlan]) {
      case (switch, rule) => new LogicalSwitch(switch, rule.asInstanceOf[Rule[LogicalPlan]], around)
    }

  def physical(session: SparkSession): Rule[SparkPlan] = build(session, Slot.UnchangedPhysical: Rule[SparkPlan]) {
    case (switch, rule) => new PhysicalSwitch(switch, rule.asInstanceOf[Rule[SparkPlan]])
  }

  def check(session: SparkSession): LogicalPlan => Unit = build(session, (_: LogicalPlan) => ()) {
    case (switch, rule) => new CheckSwitch(switch, rule.asInstanceOf[LogicalPlan => Unit])
  }

  def strategy(session: SparkSession): SparkStrategy = build(session, Slot.NoPlan: SparkStrategy) {
    case (switch, rule) => new StrategySwitch(switch, rule.asInstanceOf[SparkStrategy])
  }

  def columnar(session: SparkSession): ColumnarRule = build(session, new ColumnarRule) {
    case (switch, rule) => new ColumnarSwitch(switch, rule.asInstanceOf[ColumnarRule])
  }

  private def build[T](session: SparkSession, nothing: T)(wrap: (Switch, AnyRef) => T): T = make(session) match {
    case Right(rule) => wrap(new Switch(name(rule), onByDefault, session), rule)
    case Left(problem) =>
      report(problem)
      nothing
  }
}

private[assay] object Slot {
  private object Unchanged extends Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan = plan
  }

  private object UnchangedPhysical extends Rule[SparkPlan] {
    override def apply(plan: SparkPlan): SparkPlan = plan
  }

  private object NoPlan extends SparkStrategy {
    override def apply(plan: LogicalPlan): Seq[SparkPlan] = Nil
  }
}
