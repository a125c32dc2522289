"""Sound rules go free: Spark's own under other names, and equivalences that hold."""

from __future__ import annotations

import pytest

from assay.evaluation.verdict_text import headline
from tests.rules.sound_sources import load_sound
from tests.rules.sound_trials import tried

SOUND = load_sound()
QUERIES = 24
AT_MOST = 150
"""Queries where so few show no answer with rows to which the rule makes a difference."""


@pytest.mark.parametrize("rule", SOUND, ids=[rule.name for rule in SOUND])
def test_a_sound_rule_makes_a_difference_and_is_not_convicted(harness, tmp_path, rule):
    evaluation = tried(harness, rule, tmp_path, QUERIES)
    if not evaluation.findings and not evaluation.stats.evidence:
        evaluation = tried(harness, rule, tmp_path, AT_MOST)
    assert evaluation.outcome != "convicted", "\n".join([headline(evaluation), *evaluation.counterexamples])
    assert evaluation.stats.evidence >= 1, headline(evaluation)
