"""Environments that are started at once where none has been made: one makes the folder, all run in it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.tiny_tox import SIX, TOX, TinyProject, callers_environ

ROOT = Path(__file__).resolve().parents[2]
LEFT = shutil.ignore_patterns(".git", ".tox", "target", "failures", "campaigns", "artifacts", ".*_cache", "__pycache__")
"""Files that a fresh clone doesn't have."""


def test_six_environments_make_their_folder_once(tmp_path):
    project = TinyProject(tmp_path / "checkout")
    runs = [project.start(name) for name in SIX]
    started = [run.started() for run in runs]
    ended = [run.end() for run in runs]
    assert [(name, ok, code) for name, ok, (code, _) in zip(SIX, started, ended, strict=True)] == [
        (name, True, 0) for name in SIX
    ], "\n\n".join(text for _, text in ended)
    assert [text.count("pip install") for _, text in ended].count(1) == 1


@pytest.fixture
def clone(tmp_path):
    """The repository in another folder, without anything that was made or left in this one; half a gigabyte later."""
    folder = tmp_path / "clone"
    shutil.copytree(ROOT, folder, ignore=LEFT)
    yield folder
    shutil.rmtree(folder)


def test_environments_with_sparks_of_their_own_start_from_nothing(clone):
    one, other = sorted(path.stem for path in (clone / "tests" / "regressions").glob("*.json"))[:2]
    asked = [
        ("regressions", "-n", "0", "-k", one),
        ("regressions", "-n", "0", "-k", other),
        ("replay", "--help"),
        ("report", "--help"),
    ]
    runs = [
        subprocess.Popen(
            [*TOX, "run", "-e", name, "--", *options],
            cwd=clone,
            env=callers_environ(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for name, *options in asked
    ]
    texts = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0] * len(asked), "\n\n".join(texts)
    assert [text.count("pip install") for text in texts].count(1) == 1
    assert [f"{count} passed" in text for count, text in zip((1, 1), texts, strict=False)] == [True, True]
    assert sorted(path.name for path in (clone / ".tox" / "reports").iterdir()) == [
        "regressions-2.xml",
        "regressions.xml",
    ]
