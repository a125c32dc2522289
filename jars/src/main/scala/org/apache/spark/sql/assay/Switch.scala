package org.apache.spark.sql.assay

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan, SparkStrategy}
import org.apache.spark.sql.internal.SQLConf

/** The conf that turns one injected rule on and off, and the counts of its calls in one session. */
private[assay] final class Switch(val name: String, onByDefault: Boolean, session: SparkSession) {
  private val counters = RuleCounters.of(session)

  def isOn: Boolean = isTried || setting.toBoolean

  /** Whether the rule runs for its counts alone: its calls count, and its result is dropped. A check has no result that
   *  could be dropped: [[CheckSwitch]] raises as if it were on. */
  def isTried: Boolean = setting == Switch.Tried

  private def setting: String = SQLConf.get.getConfString(Switch.Prefix + name, onByDefault.toString).trim

  def record(effective: Boolean): Unit = counters.record(name, effective)

  def show(before: => String, after: => String): Unit = counters.show(name, before, after)

  /** Runs the rule, which counts as having fired when it raises. `plan` is what it is given. */
  def call[T](plan: => QueryPlan[_])(work: => T): T = {
    if (Misbehaviour.isWatched) counters.plansSeenBy(name).see(plan)
    try work catch {
      case raised: Throwable =>
        record(effective = true)
        counters.blame(name, Seq(Misbehaviour.Throws))
        show(plan.treeString, s"raised $raised")
        throw raised
    }
  }

  /** Notes the faults of a change that was just recorded, where they are asked for; `faults` is told how many it is. */
  def judge(faults: Long => Seq[String]): Unit =
    if (Misbehaviour.isWatched) counters.blame(name, faults(counters.changes(name)))
}

private[assay] object Switch {
  val Prefix = "spark.assay.rule."

  /** The value of a rule's conf under which it changes nothing. */
  val Tried = "try"
}

/** A logical rule behind a switch, under its own name; `around` decides what plan the rule is given. */
private[assay] final class LogicalSwitch(switch: Switch, inner: Rule[LogicalPlan], around: LogicalSwitch.Around)
  extends Rule[LogicalPlan] {

  override val ruleName: String = inner.ruleName

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!switch.isOn) {
      plan
    } else {
      val change = switch.call(cleaned(plan))(around(plan, inner.apply))
      switch.record(change.isDefined)
      change.foreach { case (before, after) =>
        switch.show(before.treeString, after.treeString)
        switch.judge(Misbehaviour.of(before, after, _, around.changesAgain(_, inner.apply)))
      }
      if (switch.isTried) plan else change.fold(plan)(_._2)
    }

  private def cleaned(plan: LogicalPlan): LogicalPlan = if (around eq CleanPlan.Around) CleanPlan(plan) else plan
}

private[assay] object LogicalSwitch {
  /** How a rule is given plans. */
  trait Around {
    /** Runs `rule` on `plan`: the plan before and after, if the rule changed it. */
    def apply(plan: LogicalPlan, rule: LogicalPlan => LogicalPlan): Option[(LogicalPlan, LogicalPlan)]

    /** Whether `rule` changes its own `result`, which it is given as it left it. */
    def changesAgain(result: LogicalPlan, rule: LogicalPlan => LogicalPlan): Boolean
  }

  /** Gives the rule the plan as it is. */
  object Plain extends Around {
    override def apply(plan: LogicalPlan, rule: LogicalPlan => LogicalPlan): Option[(LogicalPlan, LogicalPlan)] = {
      val result = rule(plan)
      if (result.fastEquals(plan)) None else Some((plan, result))
    }

    override def changesAgain(result: LogicalPlan, rule: LogicalPlan => LogicalPlan): Boolean =
      apply(result, rule).isDefined
  }
}

/** A physical rule behind a switch, under its own name. */
private[assay] final class PhysicalSwitch(switch: Switch, inner: Rule[SparkPlan]) extends Rule[SparkPlan] {
  override val ruleName: String = inner.ruleName

  override def apply(plan: SparkPlan): SparkPlan =
    if (!switch.isOn) {
      plan
    } else {
      val result = switch.call(plan)(inner(plan))
      val effective = !result.fastEquals(plan)
      switch.record(effective)
      if (effective) {
        switch.show(plan.treeString, result.treeString)
        switch.judge(_ => Misbehaviour.schemaFault(plan, result))
      }
      if (switch.isTried) plan else result
    }
}

/** A check behind a switch: it fired when it raised. */
private[assay] final class CheckSwitch(switch: Switch, inner: LogicalPlan => Unit) extends (LogicalPlan => Unit) {
  override def apply(plan: LogicalPlan): Unit =
    if (switch.isOn) {
      var raised = true
      try {
        inner(plan)
        raised = false
      } finally switch.record(raised)
    }
}

/** A planner strategy behind a switch: it fired when it returned a plan. */
private[assay] final class StrategySwitch(switch: Switch, inner: SparkStrategy) extends SparkStrategy {
  override def apply(plan: LogicalPlan): Seq[SparkPlan] =
    if (!switch.isOn) {
      Nil
    } else {
      val plans = switch.call(plan)(inner(plan))
      switch.record(plans.nonEmpty)
      plans.headOption.foreach(first => switch.show(plan.treeString, first.treeString))
      if (switch.isTried) Nil else plans
    }
}

/** Both halves of a columnar rule behind one switch. */
private[assay] final class ColumnarSwitch(switch: Switch, inner: ColumnarRule) extends ColumnarRule {
  override def preColumnarTransitions: Rule[SparkPlan] = new PhysicalSwitch(switch, inner.preColumnarTransitions)

  override def postColumnarTransitions: Rule[SparkPlan] = new PhysicalSwitch(switch, inner.postColumnarTransitions)
}
