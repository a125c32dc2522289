"""A user's queries over a real Spark Connect server, which has nothing of Assay's."""

from __future__ import annotations

import http.server
import json
import os
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import pyspark
import pytest

from jars.build import compile_rule
from oracles.engines.spark.java import java_environment
from oracles.failures.failure import read_failure
from tests.cli.assay import RULES, queries

HOME = Path(pyspark.__file__).parent
MAIN = "org.apache.spark.sql.connect.service.SparkConnectServer"
QUERIES = {
    "filtered": "SELECT a, b FROM t WHERE a > 0 AND b <> 'x'",
    "joined": "SELECT t.a, u.b FROM t LEFT JOIN t AS u ON t.a = u.a WHERE u.b IS NOT NULL",
    "untouched": "SELECT b, a FROM t",
}
WRONG = "com.acme.KeepsAll"
_SECONDS = 120.0
_MINUTE = 60.0


class Server:
    """A Connect server of the installed Spark on the loopback; a context manager that leaves no process behind."""

    def __init__(self, folder: Path, *conf: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        own = (f"spark.connect.grpc.binding.port={self.port}", "spark.connect.grpc.binding.address=127.0.0.1")
        settings = [part for each in (*own, "spark.ui.enabled=false", *conf) for part in ("--conf", each)]
        command = [HOME / "bin" / "spark-submit", "--master", "local[2]", "--class", MAIN, *settings, "spark-internal"]
        environ = {key: value for key, value in os.environ.items() if not key.startswith(("SPARK_", "PYSPARK_"))}
        environ |= {**java_environment(), "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": "127.0.0.1"}
        with (folder / "server.log").open("wb") as log:
            how = {"env": environ, "stdout": log, "stderr": log, "cwd": folder, "start_new_session": True}
            self._process = subprocess.Popen(list(map(str, command)), **how)
        end = time.monotonic() + _SECONDS
        while "Spark Connect server started at" not in (folder / "server.log").read_text(errors="replace"):
            assert self._process.poll() is None, (folder / "server.log").read_text()
            assert time.monotonic() < end, (folder / "server.log").read_text()
            time.sleep(0.1)

    @property
    def url(self) -> str:
        return f"sc://127.0.0.1:{self.port}"

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def asked(folder: Path, url: str, *options: object):
    """A run over all of QUERIES, and its summary by query."""
    (folder / "s.sql").write_text("CREATE TABLE t (a INT, b STRING);")
    (folder / "q").mkdir()
    for name, text in QUERIES.items():
        (folder / "q" / f"{name}.sql").write_text(text)
    size = ("--max-examples", 4, "--hypothesis-seed", 1, "--summary-json", "s.json", "--failures", "found")
    ended = queries("--schema", "s.sql", "--queries", "q", *size, "--connect", url, *options, cwd=folder)
    told = folder / "s.json"
    return ended, json.loads(told.read_text())["queries"] if told.exists() else {}


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """Queries over a server as it comes, and the server's folder."""
    folder = tmp_path_factory.mktemp("right")
    with Server(folder) as server:
        yield *asked(tmp_path_factory.mktemp("asked"), server.url), server, folder


@pytest.fixture(scope="module")
def wrong(tmp_path_factory):
    """Queries over a server that was started with a rule that keeps every row."""
    folder = tmp_path_factory.mktemp("wrong")
    jar = compile_rule(RULES / "AcmeExtensions.scala", folder)
    with Server(folder, f"spark.jars={jar}", "spark.sql.extensions=com.acme.AcmeExtensions") as server:
        yield asked(tmp_path_factory.mktemp("asked"), server.url, "--rule", WRONG)


def test_a_right_server_agrees(right):
    ended, told, *_ = right
    assert ended.code == 0, ended.text
    assert {name: each["findings"] for name, each in told.items()} == dict.fromkeys(QUERIES, 0)
    assert told["filtered"]["with_rows"] > 0


def test_a_rule_has_fired_where_the_plan_without_it_is_another(right):
    told = right[1]
    assert told["joined"]["fired"].keys() >= {"EliminateOuterJoin"}
    assert told["untouched"]["fired"] == {}
    assert "fired' means: without the rule the optimized plan is another" in right[0].text


def test_what_can_not_be_switched_off_is_said(right):
    (line,) = [line for line in right[0].text.splitlines() if line.startswith("over Connect nothing turns off")]
    assert "RewriteExceptAll" in line
    assert "EliminateOuterJoin" not in line


def test_nothing_is_left_on_the_server(right):
    assert [each.name for each in (right[3] / "spark-warehouse").iterdir()] == []


def test_a_rule_that_nothing_turns_off_there_is_refused(right, tmp_path):
    ended, _ = asked(tmp_path, right[2].url, "--rule", "RewriteExceptAll")
    assert (ended.code, "nothing turns it off by itself on a server without our jar" in ended.text) == (2, True)


def test_a_wrong_rule_of_the_server_is_found_and_named(wrong):
    ended, told = wrong
    assert ended.code == 1, ended.text
    failure = read_failure(Path(told["filtered"]["files"][0]))
    assert (failure.verdict.kind, failure.verdict.blame, failure.rules) == ("rule", "on", ("KeepsAll",))
    assert failure.case.database.row_count == 1


class _Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        pass


def test_what_is_no_server_is_refused_at_once(tmp_path):
    page = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    threading.Thread(target=page.serve_forever, daemon=True).start()
    started = time.monotonic()
    ended, _ = asked(tmp_path, f"sc://127.0.0.1:{page.server_port}")
    page.shutdown()
    assert (ended.code, "--connect sc://127.0.0.1" in ended.text, "Traceback" in ended.text) == (2, True, False)
    assert time.monotonic() - started < _MINUTE
