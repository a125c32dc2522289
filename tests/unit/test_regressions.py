"""The corpus of bugs that were found once: what goes in, and when it is red."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from assay.fuzz.corpus import corpus_files
from assay.replay.regressions import PASSES, Regression, expectation, unfit, write_regression
from oracles.checks.verdict import Verdict, excuse
from oracles.failures.confirmation import Stock
from oracles.failures.failure import Subject, UnreadableFailure, write_failure
from oracles.failures.scale import Scale
from oracles.triage.divergences import load
from tests.rules.corpus import broken, read_regression
from tests.unit.failure_samples import FINDING, failure

ENTRIES = load()
KNOWN, OTHER = ENTRIES[0].id, ENTRIES[1].id
AGREE, VACUOUS = (
    Verdict(name="agree", reason="all equal"),
    Verdict(name="vacuous", reason="no difference"),
)
RAISED, INCONCLUSIVE = (
    Verdict(name="raised", reason="an error"),
    Verdict(name="inconclusive", reason="no rows"),
)
PLAIN = replace(failure(), subject=Subject())


@pytest.mark.parametrize("verdict", [AGREE, VACUOUS, RAISED], ids=lambda verdict: verdict.name)
def test_what_was_mended_must_pass(verdict: Verdict) -> None:
    assert broken(PASSES, verdict, ENTRIES, "4.3.0") == ""
    assert expectation(verdict) == PASSES


def test_what_is_registered_must_be_excused_by_just_that_entry() -> None:
    assert broken(KNOWN, excuse(FINDING, KNOWN), ENTRIES, "4.3.0") == ""
    assert expectation(excuse(FINDING, KNOWN)) == KNOWN


RED: dict[str, tuple[str, Verdict, str]] = {
    "a mended bug is back": (PASSES, FINDING, "it is back: rule finding, blame on: on and off differ"),
    "a known one is no longer excused": (KNOWN, FINDING, f"{KNOWN} doesn't excuse it any more: rule finding"),
    "another entry excuses it": (KNOWN, excuse(FINDING, OTHER), f"{OTHER} excuses it, and {KNOWN} was expected"),
    "an entry excuses what was mended": (PASSES, excuse(FINDING, OTHER), f"{OTHER} excuses it, and passes"),
    "a known one is gone": (KNOWN, AGREE, f"{KNOWN} is gone: if it is mended, delete the entry"),
    "its entry is gone": ("SPARK-0", AGREE, "SPARK-0 is gone"),
    "no verdict on a mended one": (PASSES, INCONCLUSIVE, "it can't be judged: no rows"),
    "no verdict on a known one": (KNOWN, INCONCLUSIVE, "it can't be judged: no rows"),
}


@pytest.mark.parametrize(("expected", "verdict", "told"), RED.values(), ids=RED)
def test_anything_else_is_told_in_a_line(expected: str, verdict: Verdict, told: str) -> None:
    said = broken(expected, verdict, ENTRIES, "4.3.0")
    assert said.startswith(told)
    assert len(said.splitlines()) == 1


def test_on_a_release_that_its_entry_is_not_about_a_known_bug_may_be_missing() -> None:
    assert broken(KNOWN, AGREE, ENTRIES, "9.9.9") == ""
    assert broken(KNOWN, FINDING, ENTRIES, "9.9.9") != ""


@pytest.mark.parametrize("verdict", [FINDING, INCONCLUSIVE], ids=lambda verdict: verdict.name)
def test_what_fails_unexcused_is_not_taken_in(verdict: Verdict) -> None:
    assert expectation(verdict) == ""


@pytest.mark.parametrize(
    ("subject", "reason"),
    [
        (Subject(rules=("a.B",)), "rules of one's own"),
        (Subject(jars=("b.jar",)), "jars"),
        (Subject(extensions=("a.E",)), "extensions"),
        (Subject(conf={"spark.sql.ansi.enabled": "false"}), "a session's settings"),
        (Subject(mutant="M"), "a planted rule"),
    ],
)
def test_a_plain_session_must_do(subject: Subject, reason: str) -> None:
    assert unfit(PLAIN) == ""
    assert f"it needs {reason}, " in unfit(replace(PLAIN, subject=subject))


def test_what_needs_millions_of_rows_is_not_for_the_corpus() -> None:
    large = replace(PLAIN, scale=Scale(1_000_000, 5))
    assert unfit(large) == f"it needs {1_000_000 * len(PLAIN.case.database.tables):,} rows"


def test_a_file_of_the_corpus_is_read_as_it_was_written(tmp_path: Path) -> None:
    asked = replace(PLAIN, stock=Stock("confirmed"), subject=Subject(spark_home="/opt/spark"))
    path = write_regression(tmp_path, Regression(asked, KNOWN))
    assert read_regression(path) == Regression(replace(PLAIN, legs={}), KNOWN)
    assert corpus_files(tmp_path) == [path]


def test_a_failure_alone_is_no_file_of_the_corpus(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFailure, match="doesn't say what is expected"):
        read_regression(write_failure(tmp_path, PLAIN))


CORPUS = corpus_files()


def test_there_is_a_corpus() -> None:
    expected = {read_regression(path).expected for path in CORPUS}
    assert PASSES in expected
    assert len(expected) > 1


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_corpus_holds_what_any_machine_can_replay(path: Path) -> None:
    regression = read_regression(path)
    assert path.stem == regression.failure.fingerprint
    assert unfit(regression.failure) == ""
    assert regression.expected in {PASSES, *(entry.id for entry in ENTRIES)}
    texts = re.findall(r'"((?:file:)?/[^"]+)"', json.dumps(json.loads(path.read_text(encoding="utf-8"))))
    assert texts == []
