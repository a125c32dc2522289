"""The class archive that sessions start from: used where there is one, and nothing is lost where there is none."""

from __future__ import annotations

from pathlib import Path

from assay.session.class_archive import archive_flags
from oracles.engines.spark.java import find_java


def test_the_session_maps_the_archive_that_its_flags_name(run, harness):
    archive = next(flag.partition("=")[2] for flag in run.setup.spark.jvm_flags if "Archive" in flag)
    process = harness.spark.session._jvm.java.lang.ProcessHandle.current().pid()
    assert archive in Path(f"/proc/{process}/maps").read_text()


def test_where_none_can_be_made_sessions_start_without_and_it_is_not_tried_again(tmp_path):
    jar = tmp_path / "none.jar"
    jar.write_text("no jar")
    assert archive_flags(find_java().java, jar) == ()
    kept = list(tmp_path.glob("*.jsa"))
    assert [file.stat().st_size for file in kept] == [0]
    assert archive_flags(find_java().java, jar) == ()
    assert list(tmp_path.glob("*.jsa")) == kept
