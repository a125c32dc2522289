"""One rule's name runs through all trees: catalogue, shape, test, mutant."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.session.mutant_sources import load_mutants
from assay.session.own_rule import AS_WRITTEN, OWN, OwnRule
from jars.build import EXAMPLE_SOURCES
from oracles.rules.entries.known import KNOWN
from oracles.rules.rule import Rule
from strategies.shapes import load_shapes
from tests.rules.expected import snake

ROOT = Path(__file__).resolve().parents[2]
MUTANTS = load_mutants()
SHAPES = load_shapes()
SPARKS = [rule for rule in KNOWN if not rule.unshaped]
EXAMPLES = {own.name: own.rule for own in OWN}
SHAPED = [*SPARKS, *(rule for name, rule in EXAMPLES.items() if not name.endswith(AS_WRITTEN))]
RULES = pytest.mark.parametrize("rule", SHAPED, ids=lambda rule: rule.name)


@RULES
def test_a_rule_has_a_shape_of_its_name(rule: Rule) -> None:
    assert (ROOT / "strategies" / "shapes" / f"{snake(rule.name)}.py").is_file()
    assert SHAPES[rule.name].fires.__module__ == f"strategies.shapes.{snake(rule.name)}"


@RULES
def test_a_rule_has_tests_of_its_name(rule: Rule) -> None:
    assert (ROOT / "tests" / "rules" / f"test_{snake(rule.name)}.py").is_file()


@pytest.mark.parametrize("rule", SPARKS, ids=lambda rule: rule.name)
def test_a_rule_has_a_mutant_of_its_name(rule: Rule) -> None:
    assert [mutant.name for mutant in MUTANTS if mutant.rule == rule.name and mutant.name.startswith(rule.name)]


@pytest.mark.parametrize("name", sorted({*SHAPES, *(mutant.rule for mutant in MUTANTS if not mutant.shape)}))
def test_what_has_a_shape_or_a_mutant_is_in_the_catalogue(name: str) -> None:
    assert name in {rule.name for rule in KNOWN} | set(EXAMPLES)


@pytest.mark.parametrize("own", OWN, ids=lambda own: own.name)
def test_an_example_has_a_source_with_its_class(own: OwnRule) -> None:
    folder, name = own.class_name.removeprefix("assay.examples.").rpartition(".")[::2]
    text = (EXAMPLE_SOURCES / folder / f"{name}.scala").read_text(encoding="utf-8")
    assert text.startswith(f"package {own.class_name.rpartition('.')[0]}\n")
    assert f"object {name} extends Rule[LogicalPlan]" in text


@pytest.mark.parametrize("own", [own for own in OWN if not own.name.endswith(AS_WRITTEN)], ids=lambda own: own.name)
def test_an_example_is_there_as_it_was_first_written_too(own: OwnRule) -> None:
    assert EXAMPLES[own.name + AS_WRITTEN].law.count(";") + 1 >= 2


def test_every_rule_is_in_the_catalogue_once() -> None:
    assert len({rule.name for rule in KNOWN}) == len({rule.rule_name for rule in KNOWN}) == len(KNOWN)
