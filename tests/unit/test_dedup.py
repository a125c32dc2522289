"""Findings are one bug by their guilty rules, or where there are none, by the nodes of the small query."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from oracles.answers.outcome import Outcome, Raised
from oracles.checks.verdict import Blame, FindingKind, Verdict
from oracles.failures.failure import Failure, write_failure
from oracles.triage.dedup import Known, distinct, repeated, same_bug
from strategies.ir import Relation, SetOp, Settings
from tests.unit.failure_samples import BIGGER, DEFAULTS, EXCEPT, T0, answer, case_of, checked_of, failure

ORC = replace(DEFAULTS, source="orc")
SILENT = Raised("UnsupportedNode", None, "has no words", "unsupported")


def found(
    *rules: str,
    kind: FindingKind = "rule",
    blame: Blame = "on",
    query: Relation = EXCEPT,
    settings: Settings = DEFAULTS,
    raised: str = "",
    confirmed: bool = True,
) -> Failure:
    on: Outcome = Raised(raised, None, "", "internal") if raised else answer(1)
    legs: dict[str, Outcome] = {"on": on, "off": answer(2), "duckdb": answer(2)}
    checked = checked_of(
        case_of(query, settings=settings), Verdict(name="finding", kind=kind, blame=blame, reason=""), legs=legs
    )
    return failure(checked, rules, confirmed=confirmed)


def asked(blame: Blame, *, query: Relation = EXCEPT, third: Outcome = SILENT) -> Failure:
    """An engine finding that a third engine was asked of."""
    legs = {"on": answer(1), "off": answer(1), "duckdb": answer(2), "sqlite": third}
    return failure(
        checked_of(case_of(query), Verdict(name="finding", kind="engine", blame=blame, reason=""), legs=legs),
        (),
        confirmed=True,
    )


ONE_BUG = {
    "a third engine was asked of the small one": (
        asked("spark", third=answer(2)),
        found(kind="engine", blame="unknown", query=BIGGER),
    ),
    "a third engine had words for one alone": (asked("spark", third=answer(2)), asked("unknown", query=BIGGER)),
    "the same rules in a larger query": (found("A"), found("A", query=BIGGER)),
    "the same rules in a smaller query": (found("A", query=BIGGER), found("A")),
    "the same rules in another order": (found("A", "B"), found("B", "A", query=BIGGER)),
    "DuckDB has no answer to the one": (found("A"), found("A", blame="unknown", query=BIGGER)),
    "the same error under the same rule": (
        found("A", kind="internal", raised="X"),
        found("A", kind="internal", raised="X", query=BIGGER),
    ),
    "the same rules, seen in a query's parts": (found("A", kind="metamorphic"), found("A", query=BIGGER)),
    "no rules, and the larger query has all parts": (
        found(kind="engine", blame="duckdb"),
        found(kind="engine", blame="duckdb", query=BIGGER),
    ),
    "no rules, and the setting that it takes": (
        found(kind="engine", settings=ORC),
        found(kind="engine", query=BIGGER, settings=replace(ORC, aqe=True)),
    ),
}
TWO_BUGS = {
    "other rules": (found("A"), found("B")),
    "a rule more": (found("A"), found("A", "B")),
    "rules beside none": (found("A", kind="internal", raised="X"), found(kind="internal", raised="X")),
    "another kind": (found("A"), found("A", kind="error")),
    "the rule is needed": (found("A"), found("A", blame="off")),
    "no rules, in a query's parts": (found(kind="metamorphic"), found(query=BIGGER)),
    "another error": (found("A", kind="internal", raised="X"), found("A", kind="internal", raised="Y")),
    "no rules, and another one's fault": (found(kind="engine", blame="duckdb"), found(kind="engine", blame="on")),
    "another one's fault to a third engine": (
        asked("spark", third=answer(2)),
        asked("duckdb", query=BIGGER, third=answer(1)),
    ),
    "another one's fault without a third engine": (
        asked("spark", third=answer(2)),
        found(kind="engine", blame="duckdb", query=BIGGER),
    ),
    "no rules, and parts that the other lacks": (found(kind="engine", query=BIGGER), found(kind="engine")),
    "no rules, and not the setting": (found(kind="engine", settings=ORC), found(kind="engine", query=BIGGER)),
}


@pytest.mark.parametrize(("known", "other"), ONE_BUG.values(), ids=ONE_BUG)
def test_one_bug(known: Failure, other: Failure) -> None:
    assert same_bug(known, other)
    assert repeated([found("Z"), known], other) is known


@pytest.mark.parametrize(("known", "other"), TWO_BUGS.values(), ids=TWO_BUGS)
def test_two_bugs(known: Failure, other: Failure) -> None:
    assert not same_bug(known, other)
    assert repeated([known], other) is None


def test_constants_and_columns_make_no_bug_another() -> None:
    """Shrinking puts them where other parts were."""
    assert same_bug(found(kind="engine", query=T0), found(kind="engine"))


UNION = SetOp("union", T0, T0, all=True)


@pytest.mark.parametrize(
    ("query", "by_operators", "told"),
    [
        (EXCEPT, True, False),
        (BIGGER, True, False),
        (UNION, True, True),
        (UNION, False, False),
    ],
    ids=["the same operators", "one more operator", "other operators", "other operators, of all rules"],
)
def test_a_rule_on_trial_has_a_second_bug_where_operators_of_the_first_are_missing(
    query: Relation, by_operators: bool, told: bool
) -> None:
    known = Known(by_operators=by_operators)
    known.add(found("A"), Path("first.json"))
    assert (known.earlier(found("A", query=query)) is None) == told


A, B, C = found("A"), found("B"), found("C")


def test_several_bugs_at_once_are_told_under_the_first_of_them() -> None:
    assert repeated([C, A, B], found("A", "B", query=BIGGER)) is A
    assert repeated([found("A", "B"), C], found("A", "B", "C")) == found("A", "B")


@pytest.mark.parametrize(
    "known",
    [[A], [A, C], [A, found("B", kind="error")], [A, found("B", blame="off")]],
    ids=["the one alone", "another one", "as an error", "as a rule that is needed"],
)
def test_a_pair_of_rules_is_a_bug_while_one_of_them_is_innocent(known: list[Failure]) -> None:
    assert repeated(known, found("A", "B", query=BIGGER)) is None


PAIR, LARGE_A, UNSURE_B = found("A", "B", query=BIGGER), found("A", query=BIGGER), found("B", confirmed=False)
SURE_B = found("B", query=BIGGER)


@pytest.mark.parametrize("order", list(permutations([A, LARGE_A, PAIR, UNSURE_B, SURE_B]))[::7], ids=lambda order: "")
def test_what_stands_for_a_bug_is_the_same_in_whatever_order(order: tuple[Failure, ...]) -> None:
    """The small one for the large, the confirmed for the other, the single rule for several."""
    assert distinct(order) == {
        A.fingerprint: A.fingerprint,
        LARGE_A.fingerprint: A.fingerprint,
        PAIR.fingerprint: A.fingerprint,
        UNSURE_B.fingerprint: SURE_B.fingerprint,
        SURE_B.fingerprint: SURE_B.fingerprint,
    }


def test_what_others_confirmed_is_known(tmp_path: Path) -> None:
    known = Known(tmp_path)
    assert known.earlier(LARGE_A) is None
    file = write_failure(tmp_path, A)
    earlier = known.earlier(LARGE_A)
    assert earlier is not None
    assert (earlier.failure, earlier.file) == (A, file)


def test_what_others_have_not_confirmed_yet_is_not_known(tmp_path: Path) -> None:
    """They may be stopped before it is small."""
    known = Known(tmp_path)
    write_failure(tmp_path, UNSURE_B)
    assert known.earlier(SURE_B) is None
    write_failure(tmp_path, replace(UNSURE_B, confirmed=True))
    assert known.earlier(SURE_B) is not None


def test_what_a_hunt_could_not_confirm_is_known_to_it(tmp_path: Path) -> None:
    known = Known()
    known.add(UNSURE_B, tmp_path / "b.json")
    earlier = known.earlier(SURE_B)
    assert earlier is not None
    assert earlier.failure is UNSURE_B


def test_a_file_that_is_gone_or_unreadable_is_not_known(tmp_path: Path) -> None:
    known = Known(tmp_path)
    file = write_failure(tmp_path, A)
    assert known.earlier(LARGE_A) is not None
    file.write_text("{")
    assert known.earlier(LARGE_A) is None
    file.unlink()
    assert known.earlier(LARGE_A) is None
