"""Bad input ends at once, with one line that says what is wrong, and exit code 2; nothing is checked."""

from __future__ import annotations

import json
import sys
import zipfile

import pytest

from tests.cli.assay import RULES, fuzz, replay, run, verify


@pytest.mark.one_in(20)  # several of them take a Spark to refuse
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--rule", "NoSuchRule"], "no rule called 'NoSuchRule'"),
        (["--rule", "no/such/File.scala"], "no such file"),
        (["--rule", RULES / "NotARule.scala"], "needs one rule, has none"),
        (["--rule", f"{RULES / 'DropsFilters.scala'}:Other"], "no rule Other"),
        (["--rule", f"{RULES / 'DropsFilters.scala'}@nowhere"], "no injection point 'nowhere'"),
        (["--rule", RULES / "DoesNotCompile.scala"], "DoesNotCompile.scala:7: error: not found: value noSuchThing"),
        (["--rule", "com.acme.Missing@optimizer"], "com.acme.Missing"),
        (["--rule", "java.lang.String@optimizer"], "java.lang.String"),
        (["--extensions", "com.acme.MissingExtensions"], "com.acme.MissingExtensions"),
        (["--rule-jar", "no-such.jar"], "no such file"),
        (["--known", "no-such.toml"], "--known: no such file"),
        (["--max-examples", "none"], "--max-examples none"),
        (["--spark-conf", "novalue"], "needs key=value"),
        (["--off", "rule"], "--off rule: name the rule"),
        (["--spark-home", RULES], "neither a Spark distribution"),
        (["--spark-master", "spark://127.0.0.1:1"], "no master answers"),
    ],
    ids=lambda value: " ".join(map(str, value))[:40] if isinstance(value, list) else "",
)
def test_an_option_that_asks_for_what_is_not_there(options, said):
    ended = fuzz("-n", "0", "--max-examples", 5, *options)
    assert (ended.code, said in ended.text, "Traceback" in ended.text) == (2, True, False), ended.text


@pytest.mark.parametrize(
    ("command", "options", "said"),
    [
        ("coverage", ["--rule", "NoSuchRule"], "--rule NoSuchRule: no rule called 'NoSuchRule' in Spark "),
        ("volume", ["--rule", "NoSuchRule"], "--rule NoSuchRule: no rule called 'NoSuchRule' in Spark "),
        ("coverage", ["--rule", "CombineFilters", "--rule", "CombineFilters"], "--rule: CombineFilters stands twice"),
        ("volume", ["--rule", "CombineFilters", "--rule", "CombineFilters"], "--rule: CombineFilters stands twice"),
        ("queries", ["--schema", "no-such.sql", "--queries", "{folder}"], "--schema {folder}/no-such.sql: no such"),
        ("queries", ["--data", "no-such", "--queries", "{folder}"], "--data {folder}/no-such: no such file or folder"),
        ("queries", ["--data", "{folder}", "--queries", "{folder}", "--connect", "host:1"], "--connect host:1: needs"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_what_needs_no_spark_to_be_refused_is_one_line(tmp_path, command, options, said):
    (tmp_path / "q.sql").write_text("SELECT 1")
    given = [option.format(folder=tmp_path) for option in options]
    ended = run([sys.executable, "-m", "assay", command, *given], tmp_path)
    (line,) = ended.text.splitlines()
    assert (ended.code, line.startswith(said.format(folder=tmp_path))) == (2, True), ended.text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "verify: name a rule with --rule"),
        (["--rule", "CombineFilters", "--shard", "2/8"], "--shard 2/8: goes with --all or --all-mutants"),
        (["--rule", "NoSuchRule"], "no rule called 'NoSuchRule'"),
        (["--rule", "CombineFilters", "--bound", "rows=9"], "--bound rows=9: needs NAME=N"),
        (["--rule", "CombineFilters", "--bound", "rows=3,values=4"], "too many to enumerate"),
        (["--rule", "CombineFilters", "--budget", "soon"], "--budget soon: needs a time"),
        (["--rule", "CombineFilters", "--pairs", "0"], "--pairs 0: needs a whole number above 0"),
        (["--mutant", "NoSuchMutant"], "no planted rule is called NoSuchMutant"),
        (["--mutant", "EnsureRequirementsStagesOfGroups"], "only adaptive execution has the point query-stage-prep"),
    ],
    ids=lambda value: " ".join(map(str, value))[:40] if isinstance(value, list) else "",
)
def test_a_verification_of_what_is_not_there(options, said):
    ended = verify(*options)
    assert (ended.code, said in ended.text, "Traceback" in ended.text) == (2, True, False), ended.text


def test_a_spark_that_no_pyspark_speaks_to(tmp_path):
    (tmp_path / "jars").mkdir()
    (tmp_path / "jars" / "spark-catalyst_2.13-4.9.0.jar").touch()
    ended = fuzz("-n", "0", "--max-examples", 5, "--spark-home", tmp_path)
    assert (ended.code, "Traceback" in ended.text) == (2, False), ended.text
    assert f"--spark-home {tmp_path} is Spark 4.9.0 without pyspark" in ended.text


@pytest.mark.slow
def test_a_jar_that_is_no_jar(tmp_path):
    """The class that was to be in it is what is missing."""
    jar = tmp_path / "broken.jar"
    jar.write_text("not a jar")
    ended = fuzz("-n", "0", "--max-examples", 5, "--rule-jar", jar, "--rule", "com.acme.Rule@optimizer")
    assert (ended.code, "com.acme.Rule" in ended.text) == (2, True), ended.text


@pytest.mark.slow
def test_a_jar_without_the_class(tmp_path):
    jar = tmp_path / "empty.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("readme.txt", "nothing")
    ended = fuzz("-n", "0", "--max-examples", 5, "--rule-jar", jar, "--rule", "com.acme.Rule@optimizer")
    assert (ended.code, "com.acme.Rule" in ended.text) == (2, True), ended.text


@pytest.mark.parametrize(
    "content",
    ["", "no json", "[]", "{}", json.dumps({"format": 99}), json.dumps({"format": 1, "case": {}})],
    ids=["empty", "no json", "a list", "no format", "another format", "broken"],
)
def test_a_failure_file_that_is_none(tmp_path, content):
    file = tmp_path / "failure.json"
    file.write_text(content)
    ended = replay(file)
    assert (ended.code, len(ended.text.strip().splitlines()), str(file) in ended.text) == (2, 1, True), ended.text


def test_replay_of_nothing():
    assert replay().code == 2


def test_replay_of_a_file_that_is_not_there(tmp_path):
    ended = replay(tmp_path / "none.json")
    assert (ended.code, len(ended.text.strip().splitlines())) == (2, 1), ended.text
