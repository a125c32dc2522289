"""One rule's name runs through all trees: catalogue, shape, test, mutant."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracles.rules.known import KNOWN
from oracles.rules.mutants import load_mutants
from oracles.rules.rule import Rule
from strategies.shapes import load_shapes
from tests.rules.expected import snake

ROOT = Path(__file__).resolve().parents[2]
MUTANTS = load_mutants()
SHAPES = load_shapes()
RULES = pytest.mark.parametrize("rule", [rule for rule in KNOWN if not rule.unshaped], ids=lambda rule: rule.name)


@RULES
def test_a_rule_has_a_shape_of_its_name(rule: Rule) -> None:
    assert (ROOT / "strategies" / "shapes" / f"{snake(rule.name)}.py").is_file()
    assert SHAPES[rule.name].fires.__module__ == f"strategies.shapes.{snake(rule.name)}"


@RULES
def test_a_rule_has_tests_of_its_name(rule: Rule) -> None:
    assert (ROOT / "tests" / "rules" / f"test_{snake(rule.name)}.py").is_file()


@RULES
def test_a_rule_has_a_mutant_of_its_name(rule: Rule) -> None:
    assert [mutant.name for mutant in MUTANTS if mutant.rule == rule.name and mutant.name.startswith(rule.name)]


@pytest.mark.parametrize("name", sorted({*SHAPES, *(mutant.rule for mutant in MUTANTS)}))
def test_what_has_a_shape_or_a_mutant_is_in_the_catalogue(name: str) -> None:
    assert name in {rule.name for rule in KNOWN}


def test_every_rule_is_in_the_catalogue_once() -> None:
    assert len({rule.name for rule in KNOWN}) == len({rule.rule_name for rule in KNOWN}) == len(KNOWN)
