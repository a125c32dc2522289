"""A campaign as its users run it: exit codes, going on in a folder, and folders put together."""

from __future__ import annotations

import subprocess
import sys
from xml.etree import ElementTree

import pytest

from assay.ledger.blocks import code_of
from assay.ledger.folder import Folder
from assay.ledger.read import Ledger
from tests.cli.assay import ROOT, replay
from tests.slow.nightly_runs import campaign, rule

ROUNDS = 2


@pytest.fixture(scope="module")
def twice(tmp_path_factory):
    """The second shard of a campaign about a wrong rule, run twice in one folder."""
    out = tmp_path_factory.mktemp("twice") / "c"
    options = ("--budget", "1h", "--max-rounds", ROUNDS, "--shard", "2/3", *rule("DropsFilters"))
    options += ("--junit-xml", out.parent / "junit.xml")
    return [campaign(out, *options) for _ in range(2)], Folder(out)


def test_a_wrong_rule_is_a_finding(twice):
    for ended in twice[0]:
        assert (ended.code, "blame on, DropsFilters" in ended.text) == (1, True), ended.text


def test_the_same_folder_is_gone_on_with(twice):
    ended, folder = twice
    rounds = folder.read_rounds()
    assert [one.id.number for one in rounds] == [1, 2, 3, 4], ended[1].text
    assert len({one.id.run for one in rounds}) == 2
    assert {(one.id.shard, one.id.shards, one.run_seed, one.checks) for one in rounds} == {(2, 3, 1, 10)}


def test_a_finding_of_both_runs_is_there_once_and_replays(twice):
    """Its file is the only one, and counts for every check that showed it."""
    _, folder = twice
    with Ledger([folder.path]) as ledger:
        (row,) = ledger.findings()
        (checks,) = (told["checks"] for told in ledger.verdicts() if told["verdict"] == "finding")
    assert (row["rules"], row["confirmed"], row["count"], len(row["runs"])) == (["DropsFilters"], True, checks, 2)
    assert (row["operators"] <= 2, row["rows"] <= 2, row["stock"]) == (True, True, "impossible")
    assert [str(file) for file in folder.findings.glob("*.json")] == [row["file"]]
    assert replay(row["file"]).code == 1


def test_a_finding_is_news_in_the_run_that_found_it(twice):
    ended, folder = twice
    (issue,) = folder.issues.glob("*.md")
    assert [text.count(f"new: {issue}") for text in (each.text for each in ended)] == [1, 0]


def test_findings_are_tests_that_failed(twice):
    _, folder = twice
    (file,) = folder.findings.glob("*.json")
    (suite,) = ElementTree.parse(folder.path.parent / "junit.xml").getroot()
    failed = {case.get("name"): len(case) for case in suite}
    assert (failed["checks"], failed[file.stem]) == (0, 1)


def test_folders_are_merged(twice, tmp_path):
    _, folder = twice
    command = [sys.executable, "-m", "assay", "merge", folder.path, folder.path, "--out", tmp_path / "all"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, Folder(tmp_path / "all").read_rounds()) == (0, folder.read_rounds()), done.stderr
    assert f"{4 * 10} checks, 4 rounds" in done.stdout


def test_what_is_no_folder_of_a_campaign_is_bad_input(tmp_path):
    command = [sys.executable, "-m", "assay", "merge", tmp_path / "nothing", "--out", tmp_path / "all"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, "has no ledger" in done.stderr) == (2, True), done.stderr


@pytest.fixture(scope="module")
def starved(tmp_path_factory):
    """A campaign about a rule that hardly fires."""
    out = tmp_path_factory.mktemp("starved") / "c"
    options = ("--budget", "1h", "--max-rounds", 2, *rule("SwapsFewConjuncts"))
    return campaign(out, *options, "--junit-xml", out.parent / "junit.xml"), Folder(out)


def test_a_campaign_about_a_rule_checks_the_queries_on_which_it_fires(starved):
    """The others are looked at, and are no checks."""
    ended, folder = starved
    rounds = folder.read_rounds()
    seen = [one.rules["SwapsFewConjuncts"] for one in rounds if one.checks]
    assert sum(each.fired for each in seen) == sum(each.checked for each in seen) == sum(one.checks for one in rounds)
    assert 0 < sum(one.checks for one in rounds) < sum(one.queries for one in rounds), ended.text


def test_what_is_known_of_a_rule_that_hardly_fired_is_nothing(starved, tmp_path):
    """On the terminal, in JUnit's XML and on the page."""
    ended, folder = starved
    checks, queries = (sum(getattr(one, name) for one in folder.read_rounds()) for name in ("checks", "queries"))
    told = f"fired in {checks} of {queries} queries"
    assert (ended.code, f"\n{told}: nothing is known about this rule\n" in ended.text) == (3, True), ended.text
    (suite,) = ElementTree.parse(folder.path.parent / "junit.xml").getroot()
    assert [told in failure.text for failure in suite.iter("failure")] == [True]
    command = [sys.executable, "-m", "assay", "report", folder.path, "--out", tmp_path / "page.html"]
    subprocess.run(command, cwd=ROOT, check=True)
    page = (tmp_path / "page.html").read_text()
    assert 'class="top mood-poor"' in page
    assert f"<h1>{told.capitalize()}: nothing is known about this rule</h1>" in page


WRONG = {
    "no time": ("--budget", "soon"),
    "too short a time": ("--budget", "1s"),
    "no such shard": ("--budget", "1h", "--shard", "3/2"),
    "no such rule": ("--budget", "1h", "--rule", "NoSuchRule"),
}


@pytest.mark.parametrize("options", WRONG.values(), ids=WRONG)
def test_bad_input_ends_before_the_first_check(tmp_path, options):
    ended = campaign(tmp_path / "c", *options)
    assert (ended.code, ended.text.strip().splitlines()[-1].count(" ") > 3) == (2, True), ended.text


def test_a_folder_is_used_by_one_campaign_at_a_time(tmp_path):
    with Folder(tmp_path / "c").taken():
        ended = campaign(tmp_path / "c", "--budget", "1h")
    assert (ended.code, "another campaign is running there" in ended.text) == (2, True), ended.text


@pytest.fixture(scope="module")
def steered(tmp_path_factory):
    """A campaign of two workers, run twice in one folder, with what its corpus was in between."""
    folder = Folder(tmp_path_factory.mktemp("steered") / "c")
    options = ("--budget", "1h", "--max-rounds", 5, "-n", 2)
    first = campaign(folder.path, *options)
    between = members(folder)
    return (first, campaign(folder.path, *options)), between, folder


def members(folder):
    """The lines of each worker's members, by the file's name."""
    return {file.name: file.read_text().splitlines() for file in folder.corpus.glob("*.jsonl")}


def test_a_steering_corpus_is_gone_on_with(steered):
    ended, between, folder = steered
    assert between, ended[0].text
    after = members(folder)
    assert all(after[name][: len(lines)] == lines for name, lines in between.items())


def test_rounds_tell_which_blocks_of_the_optimizer_they_ran_first(steered):
    ended, _, folder = steered
    with Ledger([folder.path]) as ledger:
        (code,) = code_of(ledger.blocks())
        (*_, last) = ledger.discovery()
    assert 1_000 < last["blocks"] == len(code.ran) < sum(len(part.blocks) for part in code.parts)
    assert all("optimizer of 4.3.0: " in each.text for each in ended), ended[0].text


def test_rounds_of_edited_cases_are_counted(steered):
    ended, _, folder = steered
    rounds = [one for one in folder.read_rounds() if one.work.kind == "steered"]
    assert rounds
    assert all(one.checks == 10 for one in rounds)
    assert all("the corpus has " in each.text for each in ended), ended[0].text


def test_an_unsteered_campaign_has_no_corpus(tmp_path):
    folder = Folder(tmp_path / "c")
    ended = campaign(folder.path, "--budget", "1h", "--max-rounds", 4, "--unsteered")
    assert (ended.code, folder.corpus.exists(), "steering" in ended.text) == (0, False, False), ended.text
    assert "steered" not in {one.work.kind for one in folder.read_rounds()}
