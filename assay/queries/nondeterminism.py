"""Detect queries whose answer the tables' rows don't determine: a difference between their answers is no finding."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from assay.queries.prepared import Prepared, positions
from assay.queries.texts import Limited
from oracles.answers.outcome import Outcome, Row, Rows
from oracles.answers.rows import same
from oracles.checks.check import Harness
from oracles.checks.result import CheckResult
from oracles.engines.protocol import Stage
from oracles.rules.switch import switch_off
from strategies.draw.own_tables import in_other_orders
from strategies.ir import Relation

_ORDERS = 4
_EXCUSABLE = ("rule", "engine")


def nondeterminism(harness: Harness, asked: Prepared, checked: CheckResult, random: Random) -> str:
    """The reason why ``checked``, a finding, may be none; '' if no sign was seen that its answer is not determined.

    The query's text is examined first: what it says counts unless DuckDB has the answer of the leg without rules, and
    that leg has it again over the same rows in other orders. A LIMIT is judged if it takes all rows, or if the rows at
    its ends differ in their ORDER BY keys. Then the leg without rules runs over the same rows in other orders.
    """
    if checked.verdict.kind not in _EXCUSABLE:
        return ""
    conf = _off_conf(harness, checked)
    if asked.query.unstable:
        is_seen = checked.verdict.blame == "on" and not _by_order(harness, checked, conf, random)
        return "" if is_seen else asked.query.unstable
    if asked.query.limited and asked.all_rows:
        with harness.spark.stage(checked.case.database, checked.case.settings) as stage:
            everything = _outcome(stage, asked.all_rows, conf)
        if why := cut(asked.query.limited, positions(asked.query.keys, asked.columns), everything):
            return why
    return _by_order(harness, checked, conf, random)


def _off_conf(harness: Harness, checked: CheckResult) -> dict[str, str]:
    rules = map(harness.catalogue.rule, checked.off)
    return switch_off([rule.switch for rule in rules if rule.switch], checked.settings.off)


def _outcome(stage: Stage, query: Relation, conf: dict[str, str]) -> Outcome | None:
    with stage.leg(query, conf) as leg:
        return leg.run().outcome


def cut(limited: Limited, places: Sequence[int | None], everything: Outcome | None) -> str:
    """The reason why the rows that a LIMIT takes of ``everything``, in the query's order, aren't determined, or ''.

    :param places: the columns, from 0, by which the query orders its rows.
    """
    if limited.count is None or limited.offset is None:
        return "its LIMIT is no plain number"
    if not isinstance(everything, Rows):
        return "without its LIMIT it has no answer"
    rows = everything.rows
    ends = {limited.offset} | ({limited.offset + limited.count} if limited.count else set())
    for end in ends:
        if not 0 < end < len(rows):
            continue
        if None in places or not places:
            return "its LIMIT takes some of the rows, in an order that its columns don't show"
        if _of(rows[end - 1], places) == _of(rows[end], places):
            return "its LIMIT takes some of the rows that are equal in the ORDER BY"
    return ""


def _of(row: Row, places: Sequence[int | None]) -> list[object]:
    return [row[place] for place in places if place is not None]


def _by_order(harness: Harness, checked: CheckResult, conf: dict[str, str], random: Random) -> str:
    case = checked.case
    if not case.database.tables:
        return ""
    first = checked.legs.get("off", checked.legs["on"])
    for database in in_other_orders(case.database, random, count=_ORDERS):
        with harness.spark.stage(database, case.settings) as stage:
            again = _outcome(stage, case.query, conf)
        if isinstance(first, Rows) and isinstance(again, Rows) and not same(first, again):
            return "with the rules off its answer differs, too, where the same rows are stored in another order"
    return ""
