"""Checks on Spark's standalone cluster: executors in processes of their own do the work, and may be lost."""

from __future__ import annotations

import http.server
import json
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from assay.ledger.folder import Folder
from oracles.failures.failure import read_failure
from tests.cli.assay import ROOT, Ended, check_rule, fuzz, queries, replay, run
from tests.slow.nightly_runs import Running, rule
from tests.slow.standalone import Standalone

CHECKS = 12
MUTANT = "ReplaceExceptWithFilterNoCoalesce"
ROUNDS = 3
_MINUTE = 60.0
"""The seconds for which Spark tries a master that doesn't answer."""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    with Standalone(tmp_path_factory.mktemp("cluster")) as standalone:
        for _ in range(2):
            standalone.add_worker()
        yield standalone


@dataclass(frozen=True)
class Fuzzed:
    ended: Ended
    summary: dict


def fuzzed(folder: Path, *options: object) -> Fuzzed:
    asked = ("--max-examples", CHECKS, "--hypothesis-seed", 1, "--failures", folder / "failures")
    ended = fuzz("-n", "0", *asked, "--summary-json", folder / "s.json", *options)
    return Fuzzed(ended, json.loads((folder / "s.json").read_text()))


@pytest.fixture(scope="module")
def on_cluster(cluster, tmp_path_factory):
    return fuzzed(tmp_path_factory.mktemp("fuzz"), "--spark-master", cluster.url)


def test_a_right_spark_agrees_on_a_cluster(on_cluster):
    assert on_cluster.ended.code == 0, on_cluster.ended.text
    assert on_cluster.summary["checks"] == CHECKS
    assert on_cluster.summary["findings"] == []


def test_verdicts_are_those_of_one_process(on_cluster, tmp_path):
    local = fuzzed(tmp_path, "--spark-master", "local[1]")
    assert on_cluster.summary["verdicts"] == local.summary["verdicts"]
    assert "executors" not in local.summary


def test_rows_are_computed_by_both_executors(on_cluster):
    """Were all of it run in the driver, no executor would have ended a task."""
    executors = on_cluster.summary["executors"]
    assert len(executors) == 2
    assert min(executors.values()) > CHECKS / 2


def test_reference_operators_run_on_executors(cluster, tmp_path):
    """RewriteExceptAll goes off by an operator of the jar's own, whose classes the executors have to get."""
    ran = fuzzed(tmp_path, "--spark-master", cluster.url, "--rule", "RewriteExceptAll")
    assert ran.ended.code == 0, ran.ended.text
    assert ran.summary["rules"]["RewriteExceptAll"]["fired"] > 0
    assert sum(ran.summary["executors"].values()) >= ran.summary["rules"]["RewriteExceptAll"]["fired"]


def test_spark_starts_a_cluster_of_its_own(tmp_path):
    ran = fuzzed(tmp_path, "--spark-master", "local-cluster[2,1,1024]", "--max-examples", 5)
    assert ran.ended.code == 0, ran.ended.text
    assert len(ran.summary["executors"]) == 2


@pytest.fixture(scope="module")
def convicted(cluster, tmp_path_factory):
    folder = tmp_path_factory.mktemp("mutants")
    asked = ("--by", "shape", "-k", MUTANT, "-n", "0", "--hypothesis-seed", 1, "--failures", folder)
    command = [sys.executable, "-m", "pytest", ROOT / "tests" / "mutants", "-p", "no:cacheprovider", *asked]
    ended = run([*command, "--summary-json", folder / "s.json", "--spark-master", cluster.url], ROOT)
    (kill,) = json.loads((folder / "s.json").read_text())["mutants"]
    return ended, kill


def test_a_mutant_is_convicted_on_a_cluster(convicted):
    ended, kill = convicted
    assert (ended.code, kill["name"], kill["killed"]) == (0, MUTANT, True), ended.text
    assert read_failure(Path(kill["file"])).rules == (MUTANT,)


def test_a_finding_of_a_cluster_is_replayed_there(convicted, cluster):
    ended = replay(convicted[1]["file"], "--spark-master", cluster.url)
    assert ended.code == 1, ended.text


def test_a_wrong_rule_of_ones_own_is_convicted_on_a_cluster(cluster, tmp_path):
    asked = ("--max-examples", 20, "--scale", 0, "--hypothesis-seed", 1, "--failures", tmp_path)
    ended = check_rule(*rule("DropsFilters"), *asked, "--spark-master", cluster.url, cwd=tmp_path)
    assert (ended.code, "DropsFilters@pre-operator-optimization: convicted" in ended.text) == (1, True), ended.text


def test_own_queries_are_asked_on_a_cluster(cluster, tmp_path):
    (tmp_path / "s.sql").write_text("CREATE TABLE t (a INT, b STRING);")
    (tmp_path / "q.sql").write_text("SELECT b, count(*) FROM t WHERE a > 1 GROUP BY b EXCEPT ALL SELECT b, a FROM t")
    asked = ("--schema", "s.sql", "--queries", "q.sql", "--max-examples", 2, "--hypothesis-seed", 1)
    ended = queries(*asked, "--spark-master", cluster.url, cwd=tmp_path)
    assert ended.code == 0, ended.text


@dataclass(frozen=True)
class Hurt:
    """A campaign that lost executors, and what became of it; ``undisturbed`` is the same one that lost none."""

    code: int
    text: str
    folder: Folder
    undisturbed: Folder


@pytest.fixture(scope="module")
def hurt(tmp_path_factory):
    """A campaign about a wrong rule whose workers are killed: one, then the other; then a new one comes."""
    folder = tmp_path_factory.mktemp("hurt")
    with Standalone(folder) as cluster:
        options = ("--budget", "1h", "--max-rounds", ROUNDS, "--time-limit", 20, *rule("DropsFilters"))
        options = (*options, "--spark-master", cluster.url)
        first, second = cluster.add_worker(), cluster.add_worker()
        with Running(folder / "undisturbed", *options) as run:
            run.process.wait(timeout=900)
            undisturbed = run.folder
        with Running(folder / "hurt", *options) as run:
            run.until_rounds(1)
            run.until(lambda: cluster.executors_of(first) == 1)
            cluster.kill(first)
            run.until_rounds(1)
            cluster.kill(second)
            run.until_told("waiting for executors")
            cluster.add_worker()
            code = run.process.wait(timeout=900)
        return Hurt(code, run.text, run.folder, undisturbed)


def verdicts(folder: Folder) -> list[tuple[int, dict[str, int]]]:
    return sorted((one.id.number, dict(Counter(one.verdicts))) for one in folder.read_rounds())


def guilty(folder: Folder) -> set[tuple[str, ...]]:
    return {read_failure(file).rules for file in folder.findings.glob("*.json")}


def test_a_campaign_that_loses_executors_ends_by_itself(hurt):
    assert hurt.code == 1, hurt.text  # for the finding
    assert [number for number, _ in verdicts(hurt.folder)] == list(range(1, ROUNDS + 1))


def test_lost_executors_change_no_verdict(hurt):
    assert verdicts(hurt.folder) == verdicts(hurt.undisturbed)


def test_lost_executors_cost_no_finding(hurt):
    assert guilty(hurt.folder) == guilty(hurt.undisturbed) == {("DropsFilters",)}


def test_lost_executors_are_on_record(hurt):
    kinds = Counter(each["kind"] for each in hurt.folder.read_incidents())
    assert kinds["executor"] >= 1
    assert kinds["cluster"] >= 1
    assert not kinds.keys() & {"fault", "jvm", "worker", "lost"}, hurt.text
    assert list(hurt.undisturbed.read_incidents()) == []


class _Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def not_spark():
    """A port where something answers that is no master: the one of a web page, say."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"spark://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture(scope="module")
def no_workers(tmp_path_factory):
    with Standalone(tmp_path_factory.mktemp("idle")) as standalone:
        yield standalone.url


def nightly(*options: object, cwd: Path) -> Ended:
    asked = ("--budget", "10m", "--out", cwd / "c", "-n", "1", "--no-witnesses")
    return run([sys.executable, "-m", "assay", "nightly", *asked, *options], cwd)


def refused_in_time(ended: Ended, started: float, said: str) -> None:
    assert (ended.code, said in ended.text, "Traceback" in ended.text) == (2, True, False), ended.text
    assert time.monotonic() - started < _MINUTE


def test_what_is_no_master_is_refused_at_once(not_spark):
    started = time.monotonic()
    refused_in_time(fuzz("-n", "0", "--spark-master", not_spark), started, "no Spark master of this release answers")


def test_a_campaign_refuses_what_is_no_master_at_once(not_spark, tmp_path):
    started = time.monotonic()
    refused_in_time(nightly("--spark-master", not_spark, cwd=tmp_path), started, "no Spark master of this release")


def test_a_master_without_workers_is_refused_at_once(no_workers):
    started = time.monotonic()
    refused_in_time(fuzz("-n", "0", "--spark-master", no_workers), started, "has no worker that is alive")


def test_executors_that_no_worker_has_room_for_are_refused_at_once(cluster):
    started = time.monotonic()
    asked = ("--spark-master", cluster.url, "--spark-conf", "spark.executor.memory=64g")
    refused_in_time(fuzz("-n", "0", *asked), started, "no worker has 65536 MB and 1 cores")
