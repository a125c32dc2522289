"""Incidents as files and as a line; what is left of a process that is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from assay.fuzz.incident_log import IncidentLog, without_lost_jvms
from oracles.engines.spark.last_words import (
    OUTPUT,
    LastWords,
    crash_flags,
    last_words,
    memory_of,
    oom_kills,
    output_into,
    tail,
)
from oracles.failures.incidents import faults_text, read_incidents, write_incident

LINES = {
    "one of a kind": ({"jvm": 1}, ["1 lost JVM: see there"]),
    "several": ({"worker": 2, "fault": 3}, ["3 faults of Assay's own, 2 dead workers: see there"]),
    "what is explained": ({"repeated": 4, "late": 1, "disk": 1, "rerun": 1}, []),
    "nothing": ({}, []),
}


@pytest.mark.parametrize(("counts", "lines"), LINES.values(), ids=LINES)
def test_what_leaves_a_run_unproven_is_one_line(counts: dict[str, int], lines: list[str]) -> None:
    assert faults_text(counts, "there") == lines


def test_an_incident_is_a_file_with_all_that_is_known(tmp_path: Path) -> None:
    first = write_incident(tmp_path / "new", "jvm", "it died", case={"query": 1})
    write_incident(tmp_path / "new", "late", "it was slow")
    told = read_incidents(tmp_path / "new")
    assert sorted((each["kind"], each["told"]) for each in told) == [("jvm", "it died"), ("late", "it was slow")]
    (jvm,) = [each for each in told if each["kind"] == "jvm"]
    assert (jvm["case"], jvm["id"]) == ({"query": 1}, first.stem)


@pytest.mark.parametrize(("kind", "failed"), [("fault", True), ("jvm", True), ("late", False), ("repeated", False)])
def test_a_log_counts_and_passes_on(tmp_path: Path, kind: str, failed: bool) -> None:
    heard: list[object] = []
    log = IncidentLog(tmp_path, heard.append)
    log.tell(kind, "so it was", case=None)
    (file,) = (tmp_path / "incidents").glob("*.json")
    assert heard == [{"kind": kind, "line": "so it was", "file": str(file)}]
    assert [bool(log.red), str(tmp_path / "incidents") in "".join(log.red)] == [failed, failed]


def test_a_killed_process_is_told_with_its_signal_its_output_and_its_memory(tmp_path: Path) -> None:
    (tmp_path / OUTPUT).write_text("before\n" * 5_000 + "the last line\n")
    process = subprocess.Popen(
        [sys.executable, "-c", "import time; print(1, flush=True); time.sleep(600)"], stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        process.stdout.readline()  # it is there, and has its memory
        memory = memory_of(process.pid)
    finally:
        process.send_signal(signal.SIGKILL)
    words = last_words(
        tmp_path, process.pid, process.wait(), seconds=75.04, memory=memory, oom_kills_before=oom_kills()
    )
    facts = words.facts()
    assert (facts["code"], facts["signal"], facts["seconds"]) == (-9, "SIGKILL", 75.0)
    assert facts["output"].endswith("the last line\n")
    assert len(facts["output"]) < 10_000
    assert "died with code -9 (SIGKILL) after 75 s" in words.line
    if sys.platform == "linux":
        assert facts["memory"]["resident_mb"] > 0
        assert "MB" in words.line


def test_a_process_that_is_gone_has_no_memory() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert memory_of(process.pid) is None  # a zombie, whose exit code nobody has asked for
    process.wait()
    assert memory_of(process.pid) is None


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (LastWords(pid=1, code=None, seconds=3.0), "no longer answered after 3 s"),
        (LastWords(pid=1, code=3, seconds=3.0), "died with code 3 after 3 s"),
        (
            LastWords(pid=1, code=-11, seconds=3.0, crash_report="#"),
            "died with code -11 (SIGSEGV) after 3 s with a crash report",
        ),
        (
            LastWords(pid=1, code=-9, seconds=3.0, oom_kills=1),
            "died with code -9 (SIGKILL) after 3 s when the kernel killed for want of memory",
        ),
    ],
    ids=["cut off", "by itself", "a crash", "out of memory"],
)
def test_the_essence_is_one_clause(words: LastWords, line: str) -> None:
    assert words.line == line


def test_the_kernels_count_is_read_wherever_it_is(tmp_path: Path) -> None:
    (tmp_path / "vmstat").write_text("pgfault 7\noom_kill 2\n")
    (tmp_path / "memory.events").write_text("oom 9\noom_kill 5\noom_group_kill 0\n")
    assert (oom_kills(tmp_path, tmp_path / "none"), oom_kills(tmp_path, tmp_path)) == (2, 5)
    assert oom_kills(tmp_path / "none", tmp_path / "none") == 0


def test_a_crash_report_goes_where_it_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "hs_err_pid7.log").write_text("# A fatal error has been detected\n")
    words = last_words(tmp_path, 7, -6, seconds=1.0, memory=None, oom_kills_before=0)
    assert words.facts()["crash_report"].startswith("# A fatal error")
    assert f"-XX:ErrorFile={tmp_path}/hs_err_pid%p.log" in crash_flags(tmp_path)


def test_all_output_of_a_process_is_kept_and_only_its(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with output_into(tmp_path / OUTPUT):
        subprocess.run(["sh", "-c", "echo out; echo err >&2"], check=True)
    os.write(1, b"after")
    assert tail(tmp_path / OUTPUT) == "out\nerr\n"
    assert capfd.readouterr().out == "after"


@pytest.mark.parametrize(("kind", "stays"), [("jvm", False), ("fault", True), ("paths", True), ("repeated", True)])
def test_a_wrong_rule_is_a_reason_for_lost_jvms_alone(kind, stays):
    assert without_lost_jvms([{"kind": kind}]) == ([{"kind": kind}] if stays else [])
