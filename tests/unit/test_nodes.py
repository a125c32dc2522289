"""What a rule looks for is read off its class, and told apart from what its point no longer has."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from jars.build import build_examples
from oracles.engines.java import find_java
from oracles.rules.nodes import gone_at, most_seen, never_met, too_late, wanted_nodes
from oracles.rules.own import OWN, OwnRule
from oracles.run.options import POINTS

SET_OPERATORS = {"Except", "Intersect", "Distinct", "Deduplicate"}
LATE = {
    "set operators": (
        "optimizer",
        {"Except", "Filter"},
        ("Except no longer exists at optimizer; try @plan-normalization",),
    ),
    "two of one point": (
        "experimental",
        {"Intersect", "Except"},
        ("Except and Intersect no longer exist at experimental; try @plan-normalization",),
    ),
    "three of one point": (
        "pre-cbo",
        {"Intersect", "Except", "Distinct"},
        ("Distinct, Except and Intersect no longer exist at pre-cbo; try @plan-normalization",),
    ),
    "two points": (
        "optimizer",
        {"Except", "View"},
        (
            "Except no longer exists at optimizer; try @plan-normalization",
            "View no longer exists at optimizer; try @post-hoc-resolution",
        ),
    ),
    "what cleaning takes": (
        "plan-normalization",
        {"SubqueryAlias", "Except"},
        ("SubqueryAlias no longer exists at plan-normalization; try @post-hoc-resolution",),
    ),
    "nothing late": ("plan-normalization", {"Except", "Filter"}, ()),
    "nothing wanted": ("optimizer", set(), ()),
}


@pytest.mark.parametrize(("point", "wanted", "lines"), LATE.values(), ids=LATE)
def test_what_comes_too_late_is_one_line_with_the_point_to_try(point, wanted, lines):
    assert too_late(point, wanted) == lines


@pytest.mark.parametrize("point", POINTS)
def test_set_operators_are_gone_once_the_optimizer_has_begun(point):
    early = {"resolution", "post-hoc-resolution", "hint-resolution", "check", "plan-normalization"}
    assert (gone_at(point) & SET_OPERATORS) == (set() if point in early else SET_OPERATORS)


def test_what_was_never_met_and_what_was_seen_most():
    seen = {"Filter": 5, "Project": 7, "Join": 5}
    assert never_met({"Except", "Filter", "Distinct"}, seen) == ("Distinct", "Except")
    assert most_seen(seen, 2) == (("Project", 7), ("Filter", 5))


WANTED = {
    "ReplaceExceptWithNotFilter": {"Except", "Filter"},
    "ReplaceExceptWithNotFilterAsWritten": {"Except", "Filter"},
    "ReplaceAntiJoinWithNotFilter": {"Join", "Filter"},
    "ReplaceAntiJoinWithNotFilterAsWritten": {"Join", "Filter"},
}


@pytest.fixture(scope="module")
def examples() -> Path:
    return build_examples(find_java().java)


@pytest.mark.parametrize("own", OWN, ids=lambda own: own.name)
def test_what_a_rule_asks_for_is_read_off_its_class_without_what_it_makes(examples: Path, own: OwnRule) -> None:
    """Both rules for EXCEPT make a Distinct."""
    assert wanted_nodes([examples], own.class_name) == WANTED[own.name]


def test_a_class_that_is_not_there_asks_for_nothing(examples: Path) -> None:
    assert wanted_nodes([examples], "assay.examples.Replace") == frozenset()


@pytest.mark.parametrize(
    ("content", "problem"),
    [(b"no class", "not a class file"), (b"\xca\xfe\xba\xbe\0\0\0\x34\0\x02\x63", "a constant of an unknown kind, 99")],
    ids=["no class", "unknown constant"],
)
def test_a_broken_class_file_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    jar = tmp_path / "broken.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("a/B.class", content)
    with pytest.raises(ValueError, match=problem):
        wanted_nodes([jar], "a.B")
