"""The tables of verified rules in docs: made of the figures beside them, and of what runs add to these."""

from __future__ import annotations

import pytest

from assay.session.ending import BadInput
from assay.verify.page import PAGE, joined, load, main, mutants_text, replaced, rules_text

NOTHING = {"rules": {}, "mutants": {}}
SUMMARY = {
    "verdict": "verified",
    "queries": 900,
    "fired": 50,
    "pairs": 40,
    "comparisons": 12_000,
    "coverage": {"ran": 3, "blocks": 4},
    "seconds": 61.2,
    "excused": {"SPARK-1": 2},
    "unexplained": {},
    "briefly": "1+2",
    "databases": "all",
    "uncompared": 3,
    "shaped": {"queries": 9, "fired": 2, "databases": 120, "refuted": True},
}


def run(verdict="verified", name="A", **more):
    """A summary with one rule."""
    return {"spark": "4.3.0", "rules": {name: {**SUMMARY, "verdict": verdict, **more}}}


def test_the_tables_of_the_docs_are_made_of_the_figures():
    """``python -m assay.verify.page`` writes them anew."""
    page = PAGE.read_text(encoding="utf-8")
    assert page == replaced(page, load())


def test_the_last_run_of_a_rule_counts():
    known = joined(NOTHING, [run("undecided"), run()])
    assert [each["verdict"] for each in known["rules"].values()] == ["verified"]
    assert (
        "| `A` | verified | 40 | 12,000 | 75 % | 61 | 2 SPARK-1 | 1+2 | all, but for some in 3 layouts | 2 of 9 |"
        in rules_text(known)
    )


@pytest.mark.parametrize("verdicts", [("refuted", "verified"), ("verified", "refuted")])
def test_a_planted_rule_that_was_refuted_once_stays_so(verdicts):
    known = joined(NOTHING, [run(verdict, mutant_of="B") for verdict in verdicts])
    assert known["rules"] == {}
    assert known["mutants"]["A"]["verdict"] == "refuted"
    told = mutants_text(known)
    assert told.startswith("\n1 of 1 planted wrong rules are refuted (100 %)")
    assert ": 0 by queries of the grammar, 1 by queries of their shapes. The others:" in told


def test_what_a_law_needs_is_kept_until_it_is_refuted():
    known = joined(NOTHING, [run(mutant_of="B")])
    known["mutants"]["A"]["needs"] = "three rows"
    again = joined(known, [run("undecided", mutant_of="B")])
    assert "| three rows |" in mutants_text(again)
    assert "needs" not in joined(again, [run("refuted", mutant_of="B")])["mutants"]["A"]


def test_another_file_is_refused(tmp_path):
    file = tmp_path / "other.json"
    file.write_text('{"mutants": []}', encoding="utf-8")
    with pytest.raises(BadInput, match="no summary of a verification"):
        main([str(file)])


def test_the_table_has_no_rule_that_is_refuted():
    """A difference of a rule of Spark is a known divergence, or a new finding that is entered as one."""
    assert blamed(load()) == set()


def test_a_rule_with_a_difference_that_nothing_explains_is_noticed():
    wrong = joined(NOTHING, [run(), run("refuted", "B"), run("undecided", "C", unexplained={"rule, blame off": 1})])
    assert blamed(wrong) == {"B", "C"}


def blamed(results):
    """The rules of Spark with a difference that no known divergence excuses."""
    return {name for name, each in results["rules"].items() if each["verdict"] == "refuted" or each["unexplained"]}


def test_tables_without_a_run_say_so():
    assert rules_text(NOTHING) == mutants_text(NOTHING) == "\nNo run was added yet."
