"""The stock Spark that confirms a run's findings, with the rules of one's own that the run loads."""

from __future__ import annotations

from assay.session.options import Options, RuleRequest
from oracles.failures.scripts.confirm import StockSpark
from oracles.failures.scripts.own_rules import StockRule
from oracles.rules.points import Point


def stock_spark(options: Options) -> StockSpark:
    """Stock Spark as ``options`` have it: its scripts inject each rule that ``--rule`` names by file or class."""
    own = tuple(_stock_rule(rule) for rule in options.rules if rule.class_name is not None)
    return StockSpark(options.spark_home, own=own)


def _stock_rule(request: RuleRequest) -> StockRule:
    assert request.class_name is not None
    text = request.source.read_text(encoding="utf-8") if request.source else None
    return StockRule(name=request.name, class_name=request.class_name, point=Point(request.point), source=text)
