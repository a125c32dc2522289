"""Rules of one's own in a script for stock Spark: an extension that injects each, in Scala, for the script to compile.

The extension makes a rule as Spark's own extensions do, and passes plans by it while the setting of its switch is on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from oracles.rules.points import Point

EXTENSION = "StockRules"
"""The class of the extension, in a file of this name; it belongs to no package."""
_OFF = "stock.without."

_INJECTIONS = {
    Point.RESOLUTION: "injectResolutionRule",
    Point.POST_HOC_RESOLUTION: "injectPostHocResolutionRule",
    Point.HINT_RESOLUTION: "injectHintResolutionRule",
    Point.PLAN_NORMALIZATION: "injectPlanNormalizationRule",
    Point.PRE_OPERATOR_OPTIMIZATION: "injectPreOperatorOptimizationRule",
    Point.OPTIMIZER: "injectOptimizerRule",
    Point.PRE_CBO: "injectPreCBORule",
    Point.PLANNER_STRATEGY: "injectPlannerStrategy",
    Point.QUERY_POST_PLANNER_STRATEGY: "injectQueryPostPlannerStrategyRule",
    Point.COLUMNAR: "injectColumnar",
    Point.QUERY_STAGE_PREP: "injectQueryStagePrepRule",
    Point.QUERY_STAGE_OPTIMIZER: "injectQueryStageOptimizerRule",
    Point.RUNTIME_OPTIMIZER: "injectRuntimeOptimizerRule",
}
_PHYSICAL = (Point.QUERY_POST_PLANNER_STRATEGY, Point.QUERY_STAGE_PREP, Point.QUERY_STAGE_OPTIMIZER)
_SHAPES = {Point.PLANNER_STRATEGY: "strategy", Point.COLUMNAR: "columnar", **dict.fromkeys(_PHYSICAL, "physical")}


@dataclass(frozen=True, slots=True, kw_only=True)
class StockRule:
    """A rule of one's own: ``class_name`` at ``point``.

    ``source`` is the text of its Scala file; None for a class of a jar or of Spark itself.
    """

    name: str
    class_name: str
    point: Point
    source: str | None = None

    @property
    def off(self) -> dict[str, str]:
        """The settings that turn it off in a script."""
        return {_OFF + self.name: "true"}


def sources_of(rules: Sequence[StockRule]) -> dict[str, str]:
    """The Scala files of ``rules`` and of the extension that injects them, by their names; none without rules."""
    if not rules:
        return {}
    texts = dict.fromkeys(rule.source for rule in rules if rule.source is not None)
    own = {f"Rule{number}.scala": text for number, text in enumerate(texts, 1)}
    return {**own, f"{EXTENSION}.scala": _extension(rules)}


def is_added_to_the_session(rules: Iterable[StockRule]) -> bool:
    """Whether some rule isn't injected by an extension: the script adds it to its session."""
    return any(rule.point == Point.EXPERIMENTAL for rule in rules)


def _extension(rules: Sequence[StockRule]) -> str:
    injected = [rule for rule in rules if rule.point != Point.EXPERIMENTAL]
    added = [rule for rule in rules if rule.point == Point.EXPERIMENTAL]
    injections = "".join(
        f"    extensions.{_INJECTIONS[rule.point]}(session => {_switched(rule)})\n" for rule in injected
    )
    additions = "".join(
        f"    session.experimental.extraOptimizations = session.experimental.extraOptimizations :+ {_switched(rule)}\n"
        for rule in added
    )
    return _TEXT.replace("INJECTIONS\n", injections).replace("ADDITIONS\n", additions)


def _switched(rule: StockRule) -> str:
    shape = _SHAPES.get(rule.point, "logical")
    return f'Switched.{shape}(Switched.made("{rule.class_name}", session), "{_OFF}{rule.name}")'


_TEXT = """\
import org.apache.spark.sql.{SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan, SparkStrategy}
import org.apache.spark.sql.internal.SQLConf

/** Injects the rules; each is off while the setting of its name is true. */
class StockRules extends (SparkSessionExtensions => Unit) {
  override def apply(extensions: SparkSessionExtensions): Unit = {
INJECTIONS
  }
}

object StockRules {
  def addTo(session: SparkSession): Unit = {
ADDITIONS
  }
}

object Switched {
  /** The rule of this class: an object, a class without arguments, or one that takes the session. */
  def made(name: String, session: AnyRef): AnyRef = {
    val loader = Thread.currentThread.getContextClassLoader
    try loader.loadClass(name + "$").getField("MODULE$").get(null)
    catch {
      case _: ClassNotFoundException =>
        val makers = loader.loadClass(name).getConstructors.sortBy(_.getParameterCount)
        val maker = makers.find(_.getParameterTypes.forall(_.isInstance(session))).get
        maker.newInstance(Seq.fill(maker.getParameterCount)(session): _*).asInstanceOf[AnyRef]
    }
  }

  private def off(key: String): Boolean = SQLConf.get.getConfString(key, "false") == "true"

  def logical(rule: AnyRef, key: String): Rule[LogicalPlan] = new Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan =
      if (off(key)) plan else rule.asInstanceOf[Rule[LogicalPlan]](plan)
  }

  def physical(rule: AnyRef, key: String): Rule[SparkPlan] = new Rule[SparkPlan] {
    override def apply(plan: SparkPlan): SparkPlan = if (off(key)) plan else rule.asInstanceOf[Rule[SparkPlan]](plan)
  }

  def strategy(rule: AnyRef, key: String): SparkStrategy = new SparkStrategy {
    override def apply(plan: LogicalPlan): Seq[SparkPlan] =
      if (off(key)) Nil else rule.asInstanceOf[SparkStrategy](plan)
  }

  def columnar(rule: AnyRef, key: String): ColumnarRule = {
    val both = rule.asInstanceOf[ColumnarRule]
    new ColumnarRule {
      override def preColumnarTransitions: Rule[SparkPlan] = physical(both.preColumnarTransitions, key)
      override def postColumnarTransitions: Rule[SparkPlan] = physical(both.postColumnarTransitions, key)
    }
  }
}
"""
