"""The blind set: the headers of its rules, and what a trial keeps of them."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from oracles.answers.atomic import write_json
from tests.blind.sources import BrokenHeader, WrongRule, load_rules, read_rule
from tests.blind.trial import Outcome, command, digest, earlier, totals

RULES = load_rules()

GOOD = """package blind

/** Law: x + 0 = x.
 *  Witness: SELECT a FROM VALUES (1) AS t(a)
 *  @point pre-cbo
 */
object Wrong extends Rule[LogicalPlan] {
}
"""
OUTCOME = Outcome(
    rule="Wrong",
    point="pre-cbo",
    law="x + 0 = x.",
    source="",
    seed=1,
    max_examples=3000,
    verdict="convicted",
    kind="rule",
    checks=12,
    fired=3,
    differed=2,
    seconds=1.5,
)


def written(folder: Path, text: str = GOOD) -> Path:
    """A source in ``folder``."""
    source = folder / "Wrong.scala"
    source.write_text(text, encoding="utf-8")
    return source


def test_the_set_is_large_and_has_rules_at_several_points() -> None:
    assert len(RULES) >= 36
    assert len({rule.point for rule in RULES}) >= 5
    assert len({rule.law for rule in RULES}) == len({rule.witness for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_a_rule_of_the_set_is_a_class_of_its_files_name_with_data_in_its_witness(rule: WrongRule) -> None:
    text = rule.source.read_text(encoding="utf-8")
    assert text.startswith("package blind\n")
    assert f"object {rule.name} extends " in text or f"class {rule.name} extends " in text
    assert "VALUES" in rule.witness


def test_a_header_is_read(tmp_path: Path) -> None:
    source = written(tmp_path)
    rule = read_rule(source)
    assert rule == WrongRule(source, "x + 0 = x.", "SELECT a FROM VALUES (1) AS t(a)", "pre-cbo")
    assert rule.request == f"{source}@pre-cbo"
    assert rule.switched_off == "Wrong=blind.Wrong@pre-cbo!off"


def test_the_optimizer_is_the_point_of_a_header_without_one(tmp_path: Path) -> None:
    assert read_rule(written(tmp_path, GOOD.replace(" *  @point pre-cbo\n", ""))).point == "optimizer"


BROKEN = {
    "no law": ("Law: ", ""),
    "no witness": (" *  Witness: SELECT a FROM VALUES (1) AS t(a)\n", ""),
    "no such point": ("pre-cbo", "nowhere"),
    "a point that changes no plan": ("pre-cbo", "check"),
}


@pytest.mark.parametrize(("text", "instead"), BROKEN.values(), ids=BROKEN)
def test_a_broken_header_is_refused_in_one_line_with_its_file(tmp_path: Path, text: str, instead: str) -> None:
    assert text in GOOD
    with pytest.raises(BrokenHeader, match=r"^Wrong\.scala: [^\n]*$"):
        read_rule(written(tmp_path, GOOD.replace(text, instead)))


def test_the_command_is_the_products_own(tmp_path: Path) -> None:
    rule = read_rule(written(tmp_path))
    asked = " ".join(command(rule, tmp_path, seed=7, max_examples=30))
    assert f"-m assay check-rule --rule {rule.request} --max-examples 30 --hypothesis-seed 7 " in asked


def test_a_trial_goes_on_after_the_rules_that_have_an_outcome(tmp_path: Path) -> None:
    rule = read_rule(written(tmp_path))
    outcome = replace(OUTCOME, source=digest(rule))
    assert earlier(rule, tmp_path, seed=1, max_examples=3000) is None
    write_json(tmp_path / "Wrong.json", asdict(outcome))
    assert earlier(rule, tmp_path, seed=1, max_examples=3000) == outcome
    assert earlier(rule, tmp_path, seed=2, max_examples=3000) is None
    assert earlier(rule, tmp_path, seed=1, max_examples=30) is None
    written(tmp_path, GOOD + "\n")
    assert earlier(rule, tmp_path, seed=1, max_examples=3000) is None


def test_totals_count_each_verdict_and_the_checks_of_convictions_alone() -> None:
    missed = replace(OUTCOME, verdict="never fired", checks=3000)
    later = replace(OUTCOME, checks=40)
    assert totals([OUTCOME, missed, later]) == (
        "3 rules: 2 convicted, 0 thin evidence, 1 never fired, 0 acquitted; "
        "checks to a conviction: median 26, most 40; 4 s"
    )
