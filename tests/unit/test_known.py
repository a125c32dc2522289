"""The known divergences of a run: Assay's own and a project's, and one line for a file that can't be read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assay.commands.cli import main
from assay.replay.register import entry_text
from assay.session.ending import BadInput, Exit
from assay.session.known import known_divergences
from oracles.triage.divergences import load

OWN = replace(load()[0], id="mine")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "known.toml"


def test_without_a_file_they_are_assays_own() -> None:
    assert known_divergences(None) == load()


def test_a_projects_entries_come_after_assays_own(file: Path) -> None:
    file.write_text(entry_text(OWN), encoding="utf-8")
    assert known_divergences(file) == (*load(), OWN)


WRONG = {
    "a missing file": (None, "--known: no such file: {file}"),
    "no TOML": ("[[divergence]", "--known {file}: known.toml: "),
    "a wrong entry": ('[[divergence]]\nid = "mine"\n', "--known {file}: mine: missing or unknown keys: "),
    "an id of Assay's": (entry_text(load()[0]), "--known {file}: Assay itself has an entry called " + load()[0].id),
}


@pytest.mark.parametrize(("text", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_with_the_file_is_said_in_one_line(file: Path, text: str | None, said: str) -> None:
    if text is not None:
        file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput) as problem:
        known_divergences(file)
    assert str(problem.value).startswith(said.format(file=file))
    assert "\n" not in str(problem.value)


ASKED = {
    "check-rule": ["--rule", "a.b.Mine"],
    "queries": [],
    "verify": ["--rule", "a.b.Mine"],
    "volume": [],
    "nightly": ["--budget", "1m", "--out", "out"],
    "replay": ["failure.json"],
}


@pytest.mark.parametrize("command", ASKED)
def test_a_missing_file_is_told_before_anything_starts(
    command: str, file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOX_ENV_NAME", raising=False)
    monkeypatch.chdir(file.parent)
    assert main([command, *ASKED[command], "--known", str(file)]) == Exit.BAD_INPUT
    assert capsys.readouterr().err == f"--known: no such file: {file}\n"


def test_registering_may_make_the_file(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOX_ENV_NAME", raising=False)
    monkeypatch.chdir(file.parent)
    assert main(["replay", "--register", "--known", str(file), "missing.json"]) == Exit.BAD_INPUT
    assert "missing.json" in capsys.readouterr().err
