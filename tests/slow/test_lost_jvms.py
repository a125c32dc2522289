"""JVMs that are killed, or that rules take down, in every command that checks: an incident, and the command goes on."""

from __future__ import annotations

import json
import os
import signal

import pytest

from tests.cli.assay import RULES, check_rule, fuzz, verify
from tests.cli.live import fuzzing, running


def incidents(folder):
    """The incidents in a folder of failures, the oldest first."""
    return [json.loads(file.read_text()) for file in sorted((folder / "incidents").glob("*.json"))]


def killed(incident):
    """Whether an incident tells of a JVM that somebody killed, with what is left of it."""
    return (incident["kind"], incident["last_words"]["signal"]) == ("jvm", "SIGKILL")


def test_a_trial_goes_on_without_its_jvm(tmp_path):
    rule = f"{RULES / 'SwapsConjuncts.scala'}@pre-operator-optimization"
    options = ("--rule", rule, "--max-examples", 300, "--hypothesis-seed", 3, "--scale", 0, "--failures", "f")
    with running("check-rule", *options, "--summary-json", "s.json", cwd=tmp_path) as run:
        # The trial first makes a folder of its own, and in it first the file of the current case.
        run.until(lambda: run.temporary("assay-check-rule-*/main.case.json"))
        run.kill_jvm()
        code = run.wait()
    trial = json.loads((tmp_path / "s.json").read_text())
    assert (code, "incident, jvm: the JVM died with code -9 (SIGKILL)" in run.text) == (4, True), run.text
    assert (trial["rules"]["SwapsConjuncts"]["queries"], len(trial["incidents"])) == (300, 1)
    assert [killed(each) for each in incidents(tmp_path / "f")] == [True]


def test_a_rule_that_never_ends_is_convicted(tmp_path):
    options = ("--max-examples", 100, "--hypothesis-seed", 3, "--scale", 0, "--failures", "f", "--time-limit", 5)
    ended = check_rule("--rule", RULES / "LoopsForEver.scala", *options, "--verify", "0s", cwd=tmp_path)
    assert (ended.code, "convicted (it takes too long)" in ended.text) == (1, True), ended.text
    assert [each["kind"] for each in incidents(tmp_path / "f")] == ["repeated"]


def test_a_rule_that_never_ends_in_small_queries_is_convicted_by_draws(tmp_path):
    """The small queries lose the JVM, with all queries of a batch; that is the rule's fault, not Assay's."""
    options = ("--max-examples", 100, "--hypothesis-seed", 3, "--scale", 0, "--failures", "f", "--time-limit", 5)
    ended = check_rule("--rule", RULES / "LoopsForEver.scala", *options, cwd=tmp_path)
    assert (ended.code, "convicted (it takes too long)" in ended.text) == (1, True), ended.text
    kinds = [each["kind"] for each in incidents(tmp_path / "f")]
    assert (kinds.count("repeated"), set(kinds)) == (1, {"jvm", "repeated"})


def test_a_verification_finds_the_query_of_a_batch_that_never_ends(tmp_path):
    options = ("--bound", "operators=2,rows=1", "--budget", "400s", "--failures", "f", "--summary-json", "v.json")
    ended = verify("--rule", RULES / "LoopsForEver.scala", *options, cwd=tmp_path)
    told = json.loads((tmp_path / "v.json").read_text())["rules"]["LoopsForEver"]
    assert (ended.code, told["verdict"]) == (1, "refuted"), ended.text
    assert [finding["kind"] for finding in told["findings"]] == ["timeout"]


@pytest.fixture(scope="module")
def failing(tmp_path_factory):
    """The failure file of a wrong rule."""
    folder = tmp_path_factory.mktemp("failing")
    rule = f"{RULES / 'DropsFilters.scala'}@pre-operator-optimization"
    ended = fuzz("-n", 0, "--max-examples", 20, "--hypothesis-seed", 3, "--rule", rule, "--failures", "f", cwd=folder)
    assert ended.code == 1, ended.text
    return next((folder / "f").glob("*.json"))


def test_a_replay_goes_on_without_its_jvm(failing, tmp_path):
    files = [tmp_path / f"{number}.json" for number in range(40)]
    for file in files:
        file.write_text(failing.read_text())
    with running("replay", *files, "--failures", "f", "--summary-json", "s.json", cwd=tmp_path) as run:
        run.until_told("blame on")  # the first of them has been judged
        run.kill_jvm()
        code = run.wait()
    told = json.loads((tmp_path / "s.json").read_text())
    assert (code, "incident, jvm: the JVM died with code -9 (SIGKILL)" in run.text) == (4, True), run.text
    assert set(told["files"].values()) == {1}
    assert len(told["files"]) == len(files)
    assert [killed(each) for each in incidents(tmp_path / "f")] == [True]


def test_queries_go_on_without_their_jvm(tmp_path):
    (tmp_path / "schema.sql").write_text("CREATE TABLE t (a INT, b STRING)")
    (tmp_path / "q.sql").write_text("SELECT a, count(*) AS n FROM t WHERE a > 1 GROUP BY a")
    options = ("--schema", "schema.sql", "--queries", "q.sql", "--max-examples", 60, "--hypothesis-seed", 1)
    with running("queries", *options, "--failures", "f", "--summary-json", "s.json", cwd=tmp_path) as run:
        run.until(lambda: run.temporary("assay-queries-*/main.case.json"))
        run.kill_jvm()
        code = run.wait()
    assert (code, "incident, jvm: the JVM died with code -9 (SIGKILL)" in run.text) == (4, True), run.text
    told = json.loads((tmp_path / "s.json").read_text())
    assert (told["exit"], len(told["incidents"])) == (4, 1)
    assert [killed(each) for each in incidents(tmp_path / "f")] == [True]


def test_a_hunt_for_mutants_goes_on_without_its_jvm(tmp_path):
    options = ("-n", 0, "-k", "CombineFiltersEither or CombineFiltersOuterOnly", "--by", "shape", "--failures", "f")
    with fuzzing(*options, "--record", "r", cwd=tmp_path, what="mutants") as run:
        run.until((tmp_path / "r" / "main.case.json").exists)
        run.kill_jvm()
        code = run.wait()
    assert (code, "incident, jvm: the JVM died with code -9 (SIGKILL)" in run.text) == (4, True), run.text
    assert " killed" in run.text
    assert "NO" not in run.text.partition("mutants")[2]


def test_a_dead_worker_of_a_parallel_run_is_an_incident_with_its_case(tmp_path):
    options = ("-n", 2, "--max-examples", 300, "--hypothesis-seed", 1, "--record", "r", "--failures", "f")
    with fuzzing(*options, cwd=tmp_path) as run:
        run.until(lambda: list((tmp_path / "r").glob("gw*.case.json")))
        case = next((tmp_path / "r").glob("gw*.case.json"))
        os.kill(json.loads(case.read_text())["process"], signal.SIGKILL)
        code = run.wait()
    (incident,) = incidents(tmp_path / "f")
    assert (code, incident["kind"], "query" in incident["current_case"]["case"]) == (4, "worker", True), run.text
    assert "red: 1 dead worker: see " in run.text


def test_a_crash_report_is_kept(tmp_path):
    """A signal that a JVM takes for its own mistake makes it write one."""
    options = ("-n", 0, "--max-examples", 30, "--hypothesis-seed", 1, "--record", "r", "--failures", "f")
    with fuzzing(*options, cwd=tmp_path) as run:
        run.until((tmp_path / "r" / "main.case.json").exists)
        os.kill(run.jvms[0], signal.SIGSEGV)
        code = run.wait()
    (incident,) = incidents(tmp_path / "f")
    words = incident["last_words"]
    assert (code, incident["kind"], "with a crash report" in incident["told"]) == (4, "jvm", True), run.text
    assert words["crash_report"].startswith("#\n# A fatal error has been detected by the Java Runtime Environment")
    assert "A fatal error has been detected" in words["output"]
