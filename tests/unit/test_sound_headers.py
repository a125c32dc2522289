"""The sound rules: what their headers must say, and how many there are of each kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from jars.build import SOUND_SOURCES
from oracles.checks.result import LegSettings
from oracles.engines.spark.start import InjectedRule
from oracles.rules.catalogue import Catalogue, Discovered
from oracles.rules.entries.known import KNOWN
from oracles.rules.points import Point
from oracles.rules.switch import AQE_EXCLUDED, EXCLUDED, INJECTED, REFERENCE
from strategies.shapes import load_shapes
from tests.rules.sound_sources import BrokenHeader, SoundRule, load_sound

SOUND = load_sound()
REINJECTED = [rule for rule in SOUND if rule.original]
OPTIMIZER = "org.apache.spark.sql.catalyst.optimizer."

GOOD = """package mine.rules

/** x = y.
 *
 *  @shape EliminateSorts @point experimental
 */
object Right extends Rule[LogicalPlan] {
}

/** @rule EliminateOuterJoin @point optimizer */
object Again extends Reinjected(EliminateOuterJoin)
"""


def test_there_are_thirty_and_more_of_both_kinds() -> None:
    assert len({rule.name for rule in SOUND}) == len(SOUND) >= 30
    assert len(REINJECTED) >= 20
    assert len(SOUND) - len(REINJECTED) >= 10


def test_every_object_that_is_a_rule_is_one_of_them() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SOUND_SOURCES.rglob("*.scala"))
    kinds = ("Rule[LogicalPlan]", "Reinjected(", "OfConditions")
    assert sum(text.count(f" extends {kind}") for kind in kinds) - text.count("abstract class") == len(SOUND)


@pytest.mark.parametrize("rule", SOUND, ids=lambda rule: rule.name)
def test_a_sound_rule_says_where_it_goes_and_which_queries_suit_it(rule: SoundRule) -> None:
    assert rule.shape in load_shapes()
    assert rule.point in [point for point in Point if point.tried]
    assert rule.class_name == f"assay.sound.{rule.name}"


@pytest.mark.parametrize("rule", REINJECTED, ids=lambda rule: rule.name)
def test_a_rule_of_sparks_goes_under_another_name_and_its_original_can_be_turned_off(rule: SoundRule) -> None:
    (known,) = [entry for entry in KNOWN if entry.name == rule.original]
    assert rule.name == f"Reinjected{known.name}"
    assert known.tracked_as == "" or known.switch is not None


def test_headers_are_read(tmp_path: Path) -> None:
    (tmp_path / "Rules.scala").write_text(GOOD, encoding="utf-8")
    assert load_sound(tmp_path) == (
        SoundRule("Right", "", "EliminateSorts", "experimental", "mine.rules.Right"),
        SoundRule("Again", "EliminateOuterJoin", "EliminateOuterJoin", "optimizer", "mine.rules.Again"),
    )


BROKEN = {
    "no point": (" @point experimental", ""),
    "no shape": ("@shape EliminateSorts ", ""),
    "no package": ("package mine.rules", ""),
}


@pytest.mark.parametrize(("text", "instead"), BROKEN.values(), ids=BROKEN)
def test_a_broken_header_is_refused_in_one_line_with_its_file(tmp_path: Path, text: str, instead: str) -> None:
    assert text in GOOD
    (tmp_path / "Rules.scala").write_text(GOOD.replace(text, instead), encoding="utf-8")
    with pytest.raises(BrokenHeader, match=r"^Rules\.scala: Right [^\n]*$"):
        load_sound(tmp_path)


ORIGINALS = {
    "an equivalence": ("", {}),
    "excluded": ("EliminateOuterJoin", {EXCLUDED: OPTIMIZER + "EliminateOuterJoin"}),
    "by a reference operator": ("ReplaceExceptWithAntiJoin", {REFERENCE: "Except"}),
}


@pytest.mark.parametrize(("original", "off"), ORIGINALS.values(), ids=ORIGINALS)
def test_the_original_is_off_on_both_legs(original: str, off: dict[str, str]) -> None:
    rule = SoundRule("Right", original, "EliminateSorts", "optimizer", "mine.rules.Right")
    found = [Discovered("A Batch", OPTIMIZER + "EliminateOuterJoin", True)]
    found.append(Discovered("Replace Operators", OPTIMIZER + "ReplaceExceptWithAntiJoin", False))
    entries = [entry for entry in KNOWN if entry.rule_name in {each.rule_name for each in found}]
    catalogue = Catalogue.of_release(found, {"Right": "mine.rules.Right"}, release="4.3.0", entries=entries)
    adaptive = {AQE_EXCLUDED: off[EXCLUDED]} if EXCLUDED in off else {}
    both = {"a": "b", INJECTED + "Right": "true", **off, **adaptive}
    assert rule.settings(catalogue, {"a": "b"}) == LegSettings(both, both)


def test_a_sound_rule_is_loaded_and_off() -> None:
    rule = SoundRule("Right", "", "EliminateSorts", "optimizer", "mine.rules.Right")
    assert rule.injected() == InjectedRule("Right", "mine.rules.Right", "optimizer", on=False)
