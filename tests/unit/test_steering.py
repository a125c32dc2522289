"""The steering corpus: what becomes a member, what is drawn near it, and what workers share."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from click import UsageError
from hypothesis import strategies as st

from assay.campaign.steering import FORMAT, read_members, write_members
from assay.commands import coverage
from assay.coverage.steered import Arm, comparison_table
from assay.fuzz.steering import MAX_MEMBERS, Effect, Member, Nearest, SteeringCorpus, steered_cases
from assay.session.console import text_of
from assay.session.ending import BadInput
from oracles.reductions.size import size
from strategies.draw.cases import cases
from strategies.edits.edits import MAX_EDITED_OPERATORS, is_member
from strategies.ir import (
    INT,
    SMALLINT,
    Case,
    Col,
    Column,
    Database,
    Distinct,
    Item,
    Limit,
    Project,
    RaisingCast,
    Relation,
    Scan,
    SetOp,
    Settings,
    SortKey,
    Table,
)
from tests.unit.command_lines import parsed
from tests.unit.strategy_asserts import assert_all_examples, drawn, find_any, minimal

A = Column("a", INT)
T0 = Scan("t0", (A,))


def case_of(query: Relation) -> Case:
    return Case(query, Database((Table("t0", (A,)),)))


def distinct(times: int) -> Case:
    query: Relation = T0
    for _ in range(times):
        query = Distinct(query)
    return case_of(query)


SMALL, LARGE = distinct(0), distinct(2)
SHOWN = case_of(Project(T0, (Item("x", Col("a", INT)),)))
BOTH = case_of(Distinct(SHOWN.query))
FEW, REPEATED = case_of(Limit(T0, (SortKey(Col("a", INT)),), 1)), case_of(SetOp("union", T0, T0, all=True))
STRANGER = Case(Scan("t9", (A,)), Database((Table("t9", (A,)),)))
"""A case over a table that no edit of another case knows."""
RAISES = case_of(Project(T0, (Item("x", RaisingCast(Col("a", INT), SMALLINT)),)))


def corpus_of(*members: tuple[Case, set[int]]) -> SteeringCorpus:
    corpus = SteeringCorpus()
    for case, ran in members:
        corpus.add(case, ran)
    return corpus


def test_a_case_that_ran_new_blocks_becomes_a_member() -> None:
    corpus = corpus_of((SMALL, {1, 2}), (LARGE, {2, 3}))
    assert corpus.members == [Member(SMALL, frozenset({1, 2})), Member(LARGE, frozenset({3}))]
    assert corpus.known == {1, 2, 3}


def test_a_case_that_ran_known_blocks_alone_is_no_member() -> None:
    assert corpus_of((LARGE, {1, 2}), (SMALL, {2})).cases == [LARGE]


@pytest.mark.parametrize("case", [RAISES, distinct(MAX_EDITED_OPERATORS + 1)], ids=["may raise", "too large"])
def test_blocks_of_a_case_that_cant_be_edited_are_known_all_the_same(case: Case) -> None:
    corpus = corpus_of((case, {1}), (SMALL, {1}))
    assert (corpus.members, corpus.known) == ([], {1})


def test_members_come_smallest_first() -> None:
    found = corpus_of((LARGE, {1}), (SMALL, {2})).cases
    assert found == sorted(found, key=size) == [SMALL, LARGE]


def test_a_full_corpus_loses_the_member_with_the_fewest_new_blocks() -> None:
    pairs = ((SMALL, {2 * n, 2 * n + 1}) for n in range(MAX_MEMBERS - 1))
    corpus = corpus_of((LARGE, {-1, -2, -3}), *pairs, (SMALL, {-4}))
    assert len(corpus.members) == MAX_MEMBERS
    assert corpus.members[0].case == LARGE
    assert -4 in corpus.known
    assert all(member.new != {-4} for member in corpus.members)


def test_of_members_with_as_many_new_blocks_the_largest_is_lost() -> None:
    corpus = corpus_of(*((LARGE if n == 7 else SMALL, {n}) for n in range(MAX_MEMBERS + 1)))
    assert (len(corpus.members), LARGE in corpus.cases) == (MAX_MEMBERS, False)


def test_a_copy_goes_on_by_itself() -> None:
    corpus = corpus_of((SMALL, {1}))
    corpus.copy().add(LARGE, {2})
    assert (corpus.cases, corpus.known) == ([SMALL], {1})


def test_a_member_whose_blocks_arent_known_is_adopted() -> None:
    corpus = corpus_of((SMALL, {1}))
    corpus.adopt(Member(LARGE, frozenset()))
    corpus.adopt(Member(SMALL, frozenset({1})))
    assert (corpus.cases, corpus.known) == ([SMALL, LARGE], {1})


# The cases near the effects of rules.


FIRED, OTHER_PLAN, WITH_ROWS = Effect


def nearest_of(*seen: tuple[Case, Effect]) -> Nearest:
    nearest = Nearest()
    for case, effect in seen:
        nearest.add(case, effect)
    return nearest


NEAREST: dict[str, tuple[list[tuple[Case, Effect]], list[Case]]] = {
    "nothing": ([], []),
    "fired": ([(LARGE, FIRED), (SHOWN, FIRED)], [SHOWN, LARGE]),
    "another plan": ([(LARGE, OTHER_PLAN), (SHOWN, FIRED)], [LARGE]),
    "other plans": ([(LARGE, OTHER_PLAN), (SHOWN, OTHER_PLAN)], [SHOWN, LARGE]),
    "other plans, one with rows": ([(LARGE, OTHER_PLAN), (SHOWN, WITH_ROWS)], [SHOWN, LARGE]),
    "with the operators of others and more": (
        [(LARGE, OTHER_PLAN), (SHOWN, OTHER_PLAN), (BOTH, OTHER_PLAN)],
        [SHOWN, LARGE],
    ),
    "with fewer operators, later": ([(BOTH, OTHER_PLAN), (SHOWN, OTHER_PLAN)], [SHOWN]),
    "with fewer operators, and no other plan": ([(BOTH, OTHER_PLAN), (SHOWN, FIRED)], [BOTH]),
    "of the same operators": ([(LARGE, FIRED), (distinct(2), FIRED)], [LARGE]),
    "the smaller one": ([(distinct(3), FIRED), (LARGE, FIRED)], [LARGE]),
    "may raise": ([(RAISES, OTHER_PLAN)], []),
}


@pytest.mark.parametrize(("seen", "near"), NEAREST.values(), ids=NEAREST)
def test_the_nearest_cases_are_those_with_other_plans_or_else_all(
    seen: list[tuple[Case, Effect]], near: list[Case]
) -> None:
    nearest = nearest_of(*seen)
    assert (nearest.cases, bool(nearest)) == (near, bool(near))


def test_where_three_kinds_of_cases_have_rows_no_others_are_edited() -> None:
    kinds = [SHOWN, LARGE, REPEATED]
    nearest = nearest_of((FEW, OTHER_PLAN), *((case, WITH_ROWS) for case in kinds[:2]))
    assert nearest.cases == sorted([*kinds[:2], FEW], key=size)
    nearest.add(kinds[2], WITH_ROWS)
    assert nearest.cases == sorted(kinds, key=size)


def in_files(case: Case) -> Case:
    return replace(case, settings=Settings(aqe=True, codegen=True))


QUICKEST: dict[str, tuple[list[tuple[Case, Effect]], list[Case]]] = {
    "of the same operators": ([(in_files(LARGE), OTHER_PLAN), (LARGE, OTHER_PLAN)], [LARGE]),
    "of the same operators, first": ([(LARGE, OTHER_PLAN), (in_files(LARGE), OTHER_PLAN)], [LARGE]),
    "of others": ([(in_files(SMALL), OTHER_PLAN), (LARGE, OTHER_PLAN)], [LARGE]),
    "of others, first": ([(LARGE, OTHER_PLAN), (in_files(SMALL), OTHER_PLAN)], [LARGE]),
    "the only other plan": ([(in_files(LARGE), OTHER_PLAN), (SMALL, FIRED)], [in_files(LARGE)]),
    "none is quick": ([(in_files(LARGE), FIRED), (in_files(SHOWN), FIRED)], [in_files(SHOWN), in_files(LARGE)]),
    "none is quick, and one has fewer operators": (
        [(in_files(LARGE), FIRED), (in_files(SMALL), FIRED)],
        [in_files(SMALL)],
    ),
}


@pytest.mark.parametrize(("seen", "near"), QUICKEST.values(), ids=QUICKEST)
def test_of_the_nearest_cases_those_on_the_fast_path_are_edited(
    seen: list[tuple[Case, Effect]], near: list[Case]
) -> None:
    assert nearest_of(*seen).cases == near


# Draws.

FRESH = st.integers().map(lambda _: STRANGER)
"""As many examples as Hypothesis likes."""


def is_fresh(case: Case) -> bool:
    return case == STRANGER


def test_without_members_or_with_a_share_of_0_all_cases_are_fresh() -> None:
    assert steered_cases(FRESH, [], 50) is FRESH
    assert steered_cases(FRESH, [LARGE], 0) is FRESH


def test_with_a_share_of_100_no_case_is_fresh() -> None:
    assert_all_examples(steered_cases(FRESH, [LARGE], 100), lambda case: not is_fresh(case))


def test_about_the_share_of_the_cases_is_edited() -> None:
    edited = [case for case in drawn(steered_cases(FRESH, [LARGE], 25), count=400) if not is_fresh(case)]
    assert 60 < len(edited) < 140


def test_an_edited_case_is_reached_and_shrinks_to_its_member_and_then_to_a_fresh_one() -> None:
    steered = steered_cases(FRESH, [LARGE], 50)
    find_any(steered, lambda case: case not in (STRANGER, LARGE))
    assert minimal(steered, lambda case: not is_fresh(case)) == LARGE
    assert minimal(steered) == STRANGER


# The folder.


@cache
def members() -> list[Member]:
    """Of some drawn cases, each with a block of its own."""
    return [Member(case, frozenset({at})) for at, case in enumerate(filter(is_member, drawn(cases(), count=30)))]


def test_members_survive_the_file(tmp_path: Path) -> None:
    write_members(tmp_path / "corpus" / "1.jsonl", members(), "mark")
    assert read_members(tmp_path / "corpus" / "1.jsonl", "mark") == members()
    assert read_members(tmp_path / "corpus" / "1.jsonl", "mark", after=len(members()) - 1) == members()[-1:]


def test_members_of_another_numbering_have_no_blocks(tmp_path: Path) -> None:
    write_members(tmp_path / "1.jsonl", members(), "another mark")
    found = read_members(tmp_path / "1.jsonl", "mark")
    assert [member.case for member in found] == [member.case for member in members()]
    assert {member.new for member in found} == {frozenset()}


@pytest.mark.parametrize(
    "line",
    [{"format": FORMAT + 1}, {"format": FORMAT, "blocks_of": "", "new": [], "case": {"node": "Unheard"}}],
    ids=["another format", "another algebra"],
)
def test_lines_of_another_version_are_left_out(tmp_path: Path, line: object) -> None:
    (tmp_path / "1.jsonl").write_text(json.dumps(line) + "\n")
    assert read_members(tmp_path / "1.jsonl", "mark") == []


# Shares side by side.


def arm(percent: int, blocks: int) -> Arm:
    return Arm(
        percent=percent,
        corpus=corpus_of((SMALL, {1})),
        seen={"a"},
        pairs={("A", "B")},
        plans={"p"},
        cases=50,
        new_blocks=blocks,
    )


def test_arms_start_alike_and_go_on_by_themselves() -> None:
    before = arm(0, 7)
    one, other = before.apart(0), before.apart(50)
    one.corpus.add(LARGE, {2})
    one.seen.add("b")
    assert (other.percent, other.cases, other.new_blocks) == (50, 0, 0)
    assert (other.corpus.cases, other.seen, other.pairs, other.plans) == ([SMALL], {"a"}, {("A", "B")}, {"p"})


def rows_of(*arms: Arm) -> list[list[str]]:
    """The cells of each row of the comparison."""
    lines = text_of(comparison_table(arms)).splitlines()
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines if line.startswith("│")]


def test_each_share_stands_beside_the_one_without_edits() -> None:
    rows = rows_of(arm(0, 20), arm(50, 30))
    assert [(row[0], row[5], row[6]) for row in rows] == [("0 %", "20", "1.00"), ("50 %", "30", "1.50")]


def test_without_a_share_of_0_there_is_no_ratio() -> None:
    assert rows_of(arm(50, 30)) == [["50 %", "50", "0", "0", "1", "30", "-", "0", "0"]]


@pytest.mark.parametrize("text", ["-1", "101", "half"])
def test_a_share_is_a_percentage(text: str, tmp_path: Path) -> None:
    with pytest.raises((BadInput, UsageError)):
        parsed(coverage.command, "--steered", text, here=tmp_path)
