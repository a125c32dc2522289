"""The planted wrong rules: what their headers must say, and that all of them do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.session.mutant_sources import SOURCES, BrokenHeader, Mutant, load_mutants, together, trying
from oracles.checks.result import LegSettings
from oracles.engines.spark.start import InjectedRule
from oracles.rules.catalogue import Catalogue, Discovered
from oracles.rules.entries.known import KNOWN
from oracles.rules.points import Point
from oracles.rules.switch import AQE_EXCLUDED, EXCLUDED, INJECTED, tried

MUTANTS = load_mutants()
WITH_RULE = sorted(path.stem for path in SOURCES.rglob("*.scala") if "@rule" in path.read_text(encoding="utf-8"))
OPTIMIZER = "org.apache.spark.sql.catalyst.optimizer."

GOOD = """package mine.rules

import org.apache.spark.sql.catalyst.rules.Rule

/** Law: one line
 *  and another.
 *  Broken: how.
 *
 *  @rule EliminateOuterJoin
 *  @point optimizer
 */
object Wrong extends Rule[LogicalPlan] {
}
"""


def test_every_source_that_names_a_rule_is_a_mutant() -> None:
    assert sorted(mutant.name for mutant in MUTANTS) == WITH_RULE


def test_names_are_unique() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_says_whose_place_it_takes_and_what_it_breaks(mutant: Mutant) -> None:
    assert re.fullmatch(r"[A-Z][A-Za-z0-9]+", mutant.rule)
    assert mutant.name.startswith(mutant.rule)
    assert mutant.name != mutant.rule
    assert mutant.point in [point for point in Point if point.tried]
    assert mutant.class_name == f"assay.mutants.{mutant.name}"
    assert re.match(r"Law: .+ Broken: .+", mutant.law)


def test_a_mutant_is_there_from_the_release_on_that_its_header_names(tmp_path: Path) -> None:
    later = write(tmp_path, GOOD.replace(" *  @rule", " *  @since 4.1\n *  @rule"))
    found = {release: [m.name for m in load_mutants(later, release=release)] for release in ("4.0.5", "4.1.0", "4.3.0")}
    assert found == {"4.0.5": [], "4.1.0": ["Wrong"], "4.3.0": ["Wrong"]}


def write(folder: Path, text: str, name: str = "Wrong.scala") -> Path:
    """``folder``, with a source in it."""
    (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("kind", ["object", "class"])
def test_a_header_is_read(tmp_path: Path, kind: str) -> None:
    text = GOOD.replace("object Wrong", f"{kind} Wrong")
    law = "Law: one line and another. Broken: how."
    expected = Mutant(
        name="Wrong", rule="EliminateOuterJoin", point="optimizer", class_name="mine.rules.Wrong", law=law
    )
    assert load_mutants(write(tmp_path, text)) == (expected,)


def test_a_source_without_tags_is_a_part_that_mutants_share(tmp_path: Path) -> None:
    assert load_mutants(write(tmp_path, "package mine.rules\n\n/** Shared. */\nobject Part\n")) == ()


BROKEN = {
    "no point": (" *  @point optimizer\n", ""),
    "a point, but no rule": (" *  @rule EliminateOuterJoin\n", ""),
    "no package": ("package mine.rules\n", ""),
    "no rule of Catalyst's": ("extends Rule[LogicalPlan]", ""),
    "another name than its file": ("object Wrong", "object Other"),
    "no law": (" Law: one line\n *  and another.\n *  Broken: how.\n", "\n"),
    "no doc comment": ("/** Law", "/* Law"),
}


@pytest.mark.parametrize(("text", "instead"), BROKEN.values(), ids=BROKEN)
def test_a_broken_header_is_refused_in_one_line_with_its_file(tmp_path: Path, text: str, instead: str) -> None:
    assert text in GOOD
    with pytest.raises(BrokenHeader, match=r"^Wrong\.scala: [^\n]*$"):
        load_mutants(write(tmp_path, GOOD.replace(text, instead)))


MUTANT = Mutant(name="Wrong", rule="X", point="optimizer", class_name="mine.rules.Wrong", law="Law: x")
ON = {INJECTED + "Wrong": "true"}
PLACES = {
    "excluded": (
        Discovered("A Batch", OPTIMIZER + "X", True),
        "X",
        {EXCLUDED: OPTIMIZER + "X"} | {AQE_EXCLUDED: OPTIMIZER + "X"},
    ),
    "off by conf": (
        Discovered("Replace Operators", OPTIMIZER + "ReplaceExceptWithFilter", False),
        "ReplaceExceptWithFilter",
        {"spark.sql.optimizer.replaceExceptWithFilter": "false"},
    ),
    "not switched, with a reference operator": (
        Discovered("Replace Operators", OPTIMIZER + "RewriteExceptAll", False),
        "RewriteExceptAll",
        {},
    ),
}


@pytest.mark.parametrize(("found", "rule", "original_off"), PLACES.values(), ids=PLACES)
def test_a_mutant_takes_its_originals_place_on_the_on_leg_alone(found, rule, original_off) -> None:
    mutant = Mutant(name="Wrong", rule=rule, point="optimizer", class_name="mine.rules.Wrong", law="Law: x")
    entries = [entry for entry in KNOWN if entry.name == rule]
    catalogue = Catalogue.of_release([found], {"Wrong": "wrong.Rule"}, release="4.3.0", entries=entries)
    assert mutant.settings(catalogue) == LegSettings(on={**original_off, **ON}, off={})


@pytest.mark.parametrize("parent", ["ColumnarRule", "SparkStrategy", "Rule[SparkPlan]"])
def test_a_mutant_of_physical_planning_names_the_shape_that_suits_it(tmp_path: Path, parent: str) -> None:
    text = GOOD.replace("extends Rule[LogicalPlan]", f"extends {parent}")
    text = text.replace("@rule EliminateOuterJoin\n", "@rule EnsureRequirements\n *  @shape EliminateOuterJoin\n")
    (mutant,) = load_mutants(write(tmp_path, text))
    assert (mutant.rule, mutant.shape_rule) == ("EnsureRequirements", "EliminateOuterJoin")


def test_a_rule_of_physical_planning_is_in_no_catalogue_and_stays_on() -> None:
    mutant = Mutant(
        name="Wrong",
        rule="EnsureRequirements",
        point="columnar",
        class_name="mine.rules.Wrong",
        law="Law: x",
        shape="X",
    )
    catalogue = Catalogue.of_release([PLACES["excluded"][0]], {"Wrong": "wrong.Rule"}, release="4.3.0", entries=[])
    assert mutant.settings(catalogue) == LegSettings(on=ON, off={})
    assert together([mutant], catalogue) == LegSettings(ON, ON)
    assert trying([mutant], catalogue) == tried("Wrong")


def test_a_mutant_is_loaded_and_off() -> None:
    assert MUTANT.injected() == InjectedRule("Wrong", "mine.rules.Wrong", "optimizer", on=False)
