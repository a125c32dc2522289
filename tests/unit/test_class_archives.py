"""Archives of classes: those of earlier jars of a release go, those of other releases and of another Java stay; what
is cut short leaves nothing, no process and no file, and is tried again.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from assay.session import class_archive
from assay.session.class_archive import archive_flags, run_alone, superseded

OLD, NEW = "0" * 16, "f" * 16


def test_only_archives_of_earlier_jars_of_the_release_are_superseded(tmp_path: Path) -> None:
    gone = [f"assay-4.3.0-{OLD}-{'a' * 8}.jsa", f"assay-4.3.0-{OLD}-{'b' * 8}.jsa"]
    kept = [
        f"assay-3.5.9-{OLD}-{'a' * 8}.jsa",
        f"assay-4.3.0-SNAPSHOT-{OLD}-{'a' * 8}.jsa",
        f"assay-4.3.0-{NEW}-{'b' * 8}.jsa",
        f"assay-4.3.0-{OLD}.jar",
    ]
    for name in (*gone, *kept):
        (tmp_path / name).touch()
    assert [each.name for each in superseded(tmp_path / f"assay-4.3.0-{NEW}.jar")] == gone


# Its child stands for the JVM.
_WITH_A_CHILD = """
import subprocess, sys, time
from pathlib import Path
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
Path(sys.argv[1]).write_text(f"{child.pid}\\n")
time.sleep(60)
"""


def _interrupt_once(written: Path) -> Callable[[], None]:
    def interrupt() -> None:
        while not (written.exists() and written.read_text().endswith("\n")):
            time.sleep(0.01)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    return interrupt


def _ends(pid: int) -> bool:
    try:
        psutil.Process(pid).wait(10)
    except psutil.NoSuchProcess:
        return True
    except psutil.TimeoutExpired:
        return False
    return True


def test_all_processes_end_where_the_time_is_up(tmp_path: Path) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        run_alone([sys.executable, "-c", _WITH_A_CHILD, str(tmp_path / "pid")], 3)
    assert _ends(int((tmp_path / "pid").read_text()))


def test_all_processes_end_with_an_interruption(tmp_path: Path) -> None:
    written = tmp_path / "pid"
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in a shell's background are deaf to it
    try:
        threading.Thread(target=_interrupt_once(written)).start()
        with pytest.raises(KeyboardInterrupt):
            run_alone([sys.executable, "-c", _WITH_A_CHILD, str(written)], 60)
    finally:
        signal.signal(signal.SIGINT, before)
    assert _ends(int(written.read_text()))


def test_an_archive_that_was_not_made_in_time_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jar = tmp_path / f"assay-4.3.0-{NEW}.jar"
    jar.touch()
    monkeypatch.setattr(class_archive, "_SECONDS", 0.01)
    assert archive_flags(tmp_path / "bin" / "java", jar) == ()
    assert list(tmp_path.iterdir()) == [jar]


def test_a_file_that_a_dead_process_left_unfinished_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jar, left = (tmp_path / f"assay-4.3.0-{NEW}{end}" for end in (".jar", f"-{'a' * 8}.4711"))
    for file in (jar, left):
        file.touch()
    monkeypatch.setattr(class_archive, "_SECONDS", 0.01)
    archive_flags(tmp_path / "bin" / "java", jar)
    assert list(tmp_path.iterdir()) == [jar]


def test_an_archive_that_can_not_be_made_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jar = tmp_path / f"assay-4.3.0-{NEW}.jar"
    jar.touch()
    monkeypatch.setattr(sys, "executable", "false")
    assert archive_flags(tmp_path / "bin" / "java", jar) == ()
    assert [file.stat().st_size for file in tmp_path.glob("*.jsa")] == [0]
