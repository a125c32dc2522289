"""An entry that names the rule that does the wrong work excuses no leg of Spark whose plan that rule left alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from oracles.checks.verdict import Blame
from oracles.rules.entries.known import KNOWN
from oracles.triage.divergences import load
from strategies.ir import INT, Col, InSubquery, Item, Project
from tests.unit.test_divergences import ENTRY, FINDING, GOOD, TODAY, T, found, loaded

IN = Project(T, (Item("x", InSubquery((Col("a", INT),), Project(T, (Item("b", Col("b", INT)),)))),))


def test_an_entry_may_name_the_rule_that_does_the_wrong_work(tmp_path: Path) -> None:
    text = GOOD.replace('raised = ""', 'raised = ""\ndone_by = "Worker"')
    assert loaded(tmp_path, text) == (replace(ENTRY, done_by="Worker"),)


@pytest.mark.parametrize(
    ("blame", "on", "off", "excused"),
    [
        ("on", ("A", "Worker"), (), True),
        ("on", ("A",), (), False),
        ("on", ("A",), ("Worker",), False),
        ("off", ("A",), ("Worker",), True),
        ("off", ("A", "Worker"), (), True),
        ("off", ("A",), (), False),
        ("unknown", ("A",), ("Worker",), True),
    ],
)
def test_a_leg_is_excused_where_that_rule_changed_its_plan(
    blame: Blame, on: tuple[str, ...], off: tuple[str, ...], excused: bool
) -> None:
    entry = replace(ENTRY, blame="any", pattern="in_subquery_as_a_value", done_by="Worker")
    checked = replace(found(replace(FINDING, blame=blame), IN), changed_plan=on, changed_only_off=off)
    assert entry.excuses(checked, ("A", "B"), "4.3.0", TODAY) == excused


@pytest.mark.parametrize(("guilty", "excused"), [("Other", True), ("Worker", False)])
def test_an_entry_for_any_rule_excuses_not_that_rule_itself(guilty: str, excused: bool) -> None:
    entry = replace(ENTRY, blame="any", rules=("any",), pattern="in_subquery_as_a_value", done_by="Worker")
    checked = replace(found(FINDING, IN), changed_plan=("Worker", guilty))
    assert entry.excuses(checked, (guilty,), "4.3.0", TODAY) == excused


@pytest.mark.parametrize("worked", [True, False])
def test_a_difference_of_the_engines_needs_it_on_the_on_leg(worked: bool) -> None:
    entry = replace(ENTRY, kind="engine", blame="spark", rules=(), pattern="in_subquery_as_a_value", done_by="Worker")
    verdict = replace(FINDING, kind="engine", blame="spark")
    plans = (("Worker",), ()) if worked else ((), ("Worker",))
    checked = replace(found(verdict, IN), changed_plan=plans[0], changed_only_off=plans[1])
    assert entry.excuses(checked, (), "4.3.0", TODAY) == worked


def test_each_such_rule_of_the_entries_is_in_the_catalogue() -> None:
    named = {entry.done_by for entry in load() if entry.done_by}
    assert named
    assert named <= {rule.name for rule in KNOWN}
