"""Plans side by side: the same operators beside each other, and what a rule changed marked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report.plan_sides import Line, sides
from tests.unit.page_samples import PLANS


def text(line: Line) -> str:
    return "".join(piece.text for piece in line.pieces)


def marked(line: Line) -> list[str]:
    return [piece.text for piece in line.pieces if piece.marked]


def test_a_plan_that_stays_as_it_is_has_nothing_marked() -> None:
    both = sides("Rule", PLANS[0], PLANS[0])
    assert both.before == both.after
    assert {line.kind for line in both.before} == {"same"}
    assert [text(line) for line in both.before] == PLANS[0].splitlines()


def test_an_operator_that_moves_down_is_marked_and_what_is_below_it_is_not() -> None:
    both = sides("Rule", *PLANS)
    changed = [text(line).lstrip(" :+-") for line in (*both.before, *both.after) if line.kind == "changed"]
    assert set(changed) in ({"Filter (a#1 > 0)"}, {"Join LeftOuter, (a#1 = b#2)"})
    kept = [(text(one), text(two)) for one, two in zip(both.before, both.after, strict=True) if one.kind == "same"]
    assert ("   :- Relation [a#1] parquet", ":  +- Relation [a#1] parquet") in kept


def test_of_an_operator_that_changes_only_the_words_that_do_are_marked() -> None:
    both = sides("Rule", "Join LeftOuter, (a#1 = b#2)", "Join Inner, (a#1 = b#2)")
    assert (marked(both.before[0]), marked(both.after[0])) == (["LeftOuter"], ["Inner"])


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        ("Distinct\n+- Relation", "Relation", (["changed", "same"], ["filler", "same"])),
        ("Relation", "Distinct\n+- Relation", (["filler", "same"], ["changed", "same"])),
        ("Except All true", "LocalRelation <empty>", (["changed", "filler"], ["filler", "changed"])),
        ("", "Relation", (["filler"], ["changed"])),
        ("", "", ([], [])),
    ],
    ids=["one goes", "one comes", "one for another", "from nothing", "nothing"],
)
def test_a_side_has_a_filler_where_the_other_has_a_line_of_its_own(before, after, kinds) -> None:
    both = sides("Rule", before, after)
    assert ([line.kind for line in both.before], [line.kind for line in both.after]) == kinds


LINES = st.lists(st.sampled_from(["Filter (a#1 > 0)", "+- Filter (a#1 > 1)", "Relation [a#1]", "", "'<b>"]), max_size=6)


@given(LINES, LINES)
def test_both_sides_have_all_their_lines_in_order_and_are_equally_long(before: list[str], after: list[str]) -> None:
    both = sides("Rule", "\n".join(before), "\n".join(after))
    assert len(both.before) == len(both.after)
    for side, given_text in ((both.before, before), (both.after, after)):
        shown = "\n".join(text(line) for line in side if line.kind != "filler")
        assert shown == "\n".join(given_text).rstrip()
