"""Sound rules go free: Spark's own under other names, and equivalences that hold."""

from __future__ import annotations

import pytest

from assay.evaluation.verdict_text import headline
from tests.rules.sound_evaluations import evaluated
from tests.rules.sound_sources import load_sound

QUERIES = 12
"""So few show that a rule fires; tests/slow tries a whole evaluation's number, and asks for its evidence."""


@pytest.mark.one_in(20)
@pytest.mark.parametrize("rule", load_sound(), ids=lambda rule: rule.name)
def test_a_sound_rule_fires_and_is_not_convicted(harness, tmp_path, rule):
    evaluation = evaluated(harness, rule, tmp_path, QUERIES)
    assert evaluation.outcome != "convicted", "\n".join([headline(evaluation), *evaluation.counterexamples])
    assert evaluation.stats.count.fired >= 1, headline(evaluation)
