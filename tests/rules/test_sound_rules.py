"""Sound rules go free: Spark's own under other names, and equivalences that hold."""

from __future__ import annotations

import pytest

from assay.evaluation.verdict_text import headline
from tests.rules.sound_evaluations import evaluated
from tests.rules.sound_sources import load_sound

SOUND = load_sound()
QUERIES = (12, 36, 150)
"""The queries to try; the next number only if these show no answer with rows to which the rule makes a difference."""


@pytest.mark.parametrize("rule", SOUND, ids=[rule.name for rule in SOUND])
def test_a_sound_rule_makes_a_difference_and_is_not_convicted(harness, tmp_path, rule):
    for queries in QUERIES:
        evaluation = evaluated(harness, rule, tmp_path, queries)
        if evaluation.findings or evaluation.stats.evidence:
            break
    assert evaluation.outcome != "convicted", "\n".join([headline(evaluation), *evaluation.counterexamples])
    assert evaluation.stats.evidence >= 1, headline(evaluation)
