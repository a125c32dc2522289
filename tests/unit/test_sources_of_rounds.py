"""The choice of a campaign's next round: shares of the kinds of sources, and turns of the shapes."""

from __future__ import annotations

import pytest

from assay.campaign.sources import GENERAL, SHARES, STEERED, Covered, all_work, cases_of_work, next_work, round_size
from assay.ledger.rounds import Work
from oracles.checks.evidence import RuleCount
from strategies.shapes import load_shapes
from tests.unit.ledger_samples import round_of

SHAPES = [Work("shape", name) for name in "abc"]
MIXED = [GENERAL, STEERED, *SHAPES, Work("composite", "x"), Work("composite", "y")]


def test_without_names_work_is_of_all_kinds_and_of_sparks_rules() -> None:
    shapes = load_shapes()
    work = all_work(shapes)
    assert {each.kind for each in work} == set(SHARES)
    assert {each.name for each in work if each.kind == "shape"} == {s.rule for s in shapes.values() if not s.own}


def test_named_rules_are_worked_on_alone() -> None:
    named = ["CombineFilters", "OfMyOwn"]
    assert all_work(load_shapes(), named) == [GENERAL, STEERED, Work("shape", "CombineFilters")]


def test_an_unsteered_campaign_draws_no_edits() -> None:
    assert STEERED not in all_work(load_shapes(), steered=False)
    assert {each.kind for each in all_work(load_shapes(), steered=False)} == {*SHARES} - {"steered"}


@pytest.mark.parametrize("kind", SHARES)
def test_there_are_cases_of_every_kind_of_work(kind: str) -> None:
    shapes = load_shapes()
    work = next(each for each in all_work(shapes) if each.kind == kind)
    assert not cases_of_work(work, shapes).is_empty


DIFFERED = RuleCount(checked=100, fired=100, differed=100, changed=100)
TWO_LEGS = RuleCount(checked=100, fired=100, differed=0, two_legs=100, changed=100)


def made(rounds: int, differing: str = "", every: RuleCount = DIFFERED) -> Covered:
    """The cover of so many rounds, of which ``differing`` made a difference in every check of its own."""
    covered = Covered()
    for number in range(rounds):
        work = next_work(MIXED, covered, [], 1000)
        seen = {work.name: every} if work.name == differing else {}
        covered.add(round_of(number, work, verdicts={"agree": round_size(work, 1000)}, rules=seen))
    return covered


def test_kinds_get_their_shares() -> None:
    covered = made(600)
    total = sum(covered.checks.values())
    for kind, share in SHARES.items():
        checks = sum(count for work, count in covered.checks.items() if work.kind == kind)
        assert checks == pytest.approx(share * total, rel=0.05)


def test_of_shapes_without_a_round_that_of_a_rule_which_made_no_difference_elsewhere_comes_first() -> None:
    covered = Covered()
    covered.add(round_of(1, GENERAL, verdicts={"agree": 100}, rules={each.name: DIFFERED for each in SHAPES[:-1]}))
    assert next_work(SHAPES, covered, [], 100) == SHAPES[-1]


@pytest.mark.parametrize("every", [DIFFERED, TWO_LEGS], ids=["the plans differed", "DuckDB alone judged"])
def test_a_rule_that_made_a_difference_waits_for_the_others(every: RuleCount) -> None:
    covered = made(400, differing="b", every=every)
    plenty, few = covered.checks[SHAPES[0]], covered.checks[SHAPES[1]]
    assert 3 < plenty / few < 7


def test_everything_has_its_turn() -> None:
    assert set(made(30).checks) == set(MIXED)


def test_an_hour_has_a_round_of_each_shape() -> None:
    choices, covered = all_work(load_shapes()), Covered()
    while sum(covered.checks.values()) < 8_000:
        work = next_work(choices, covered, [], 200)
        covered.add(round_of(len(covered.checks), work, verdicts={"agree": round_size(work, 200)}, rules={}))
    # Two workers make 6,000 to 15,000 checks an hour (docs/releases.md).
    assert set(covered.checks) == set(choices)


@pytest.mark.parametrize(("size", "of_a_shape"), [(200, 12), (40, 5), (3, 3)])
def test_a_round_of_a_shape_is_small_and_whole(size: int, of_a_shape: int) -> None:
    assert [round_size(work, size) for work in (GENERAL, STEERED, SHAPES[0])] == [size, size, of_a_shape]
    covered = Covered()
    covered.add(round_of(1, SHAPES[0], verdicts={"agree": of_a_shape}, rules={}))
    assert bool(covered.few[SHAPES[0]]) == (size < 5)


def test_workers_are_given_different_work() -> None:
    covered, under_way = made(60), []
    for _ in range(4):
        under_way.append(next_work(MIXED, covered, under_way, 1000))
    of_shapes = [work for work in under_way if work.name]
    assert len(set(of_shapes)) == len(of_shapes)


@pytest.mark.parametrize("checks", [0, 3], ids=["none", "a few"])
def test_a_source_of_few_cases_gets_no_more_rounds_than_others(checks: int) -> None:
    covered, chosen = Covered(), []
    few, *_ = SHAPES
    for number in range(30):
        chosen.append(next_work(SHAPES, covered, [], 2000))
        count = checks if chosen[-1] == few else 200
        covered.add(round_of(number, chosen[-1], verdicts={"agree": count}, rules={}))
    assert 8 <= chosen.count(few) <= 12


def test_sources_of_no_cases_leave_their_kind_its_share() -> None:
    covered, without = Covered(), Work("shape", "a")
    for number in range(600):
        work = next_work(MIXED, covered, [], 1000)
        count = 0 if work == without else round_size(work, 1000)
        covered.add(round_of(number, work, verdicts={"agree": count}, rules={}))
    checks = sum(count for work, count in covered.checks.items() if work.kind == "shape")
    assert checks > 0.8 * SHARES["shape"] * sum(covered.checks.values())


def test_a_kind_of_no_cases_is_not_chosen_for_ever() -> None:
    covered, chosen = Covered(), []
    for number in range(200):
        chosen.append(next_work(MIXED, covered, [], 1000))
        count = 0 if chosen[-1].kind == "shape" else round_size(chosen[-1], 1000)
        covered.add(round_of(number, chosen[-1], verdicts={"agree": count}, rules={}))
    assert {work.kind for work in chosen[-100:]} == set(SHARES)


def test_a_source_without_new_cases_is_not_chosen_for_ever() -> None:
    covered, chosen = Covered(), []
    for number in range(40):
        chosen.append(next_work(SHAPES, covered, [], 100))
        covered.add(round_of(number, chosen[-1], verdicts={}, rules={}))
    assert set(chosen) == set(SHAPES)
