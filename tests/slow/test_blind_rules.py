"""Each rule of the blind set is wrong: its witness has another answer with the rule than without it."""

from __future__ import annotations

import pytest

from jars.build import build, build_examples
from oracles.engines.spark.java import find_java
from tests.blind.sources import RULES, WrongRule, load_rules
from tests.slow import switched_session

WRONG = load_rules()
OVERFLOW = "ARITHMETIC_OVERFLOW"

#: Spark computes a VALUES clause while it plans, so that no rule of a later point would see what stands above it.
LAZY = {"spark.sql.optimizer.excludedRules": "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """The process of the session with all rules of the set, off."""
    java = find_java().java
    jars = [build(java).main, build_examples(java, sources=RULES, target=tmp_path_factory.mktemp("blind"))]
    conf = {"spark.assay.rules": ";".join(rule.switched_off for rule in WRONG), "spark.sql.ansi.enabled": "true"}
    with switched_session.process(jars, conf) as process:
        assert process.submit(switched_session.ready).result() == []
        yield process


@pytest.mark.parametrize("rule", WRONG, ids=[rule.name for rule in WRONG])
def test_a_rule_of_the_blind_set_changes_the_answer_to_its_witness(session, rule: WrongRule):
    on, off = (
        session.submit(switched_session.leg, rule.witness, LAZY | {f"spark.assay.rule.{rule.name}": switch}).result()
        for switch in ("true", "false")
    )
    assert on.error is None
    assert off.error is None or off.error["condition"] == OVERFLOW
    assert on.injected[rule.name][1] >= 1
    assert on.columns == off.columns or off.columns is None
    # 0.0 and -0.0 are equal in Python, and differ in an answer.
    assert repr(on.rows) != repr(off.rows)
