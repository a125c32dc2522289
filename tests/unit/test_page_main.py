"""The command line of ``report``: the options that it takes, and the bad input that it refuses in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.commands.cli import main
from tests.unit.page_samples import write_campaign


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign without findings, in the folder that its caller is in."""
    monkeypatch.delenv("TOX_ENV_NAME", raising=False)
    monkeypatch.chdir(tmp_path)
    return write_campaign(tmp_path / "campaign", ())


BAD = [
    ([], "name at least one campaign's folder"),
    (["none"], "none: no such folder"),
    (["campaign", "none"], "none: no such folder"),
    (["."], "it has no ledger"),
    (["campaign/mutants.json"], "no such folder"),
    (["campaign", "--mutants", "none.json"], "none.json: no JSON"),
    (["campaign", "--inversions", "none.json"], "none.json: no JSON"),
    (["campaign", "--out", "campaign/findings"], "campaign/findings is a folder"),
    (["campaign", "--out", "campaign/mutants.json/page.html"], "campaign/mutants.json is no folder"),
]


@pytest.mark.parametrize(("arguments", "said"), BAD, ids=[" ".join(arguments) for arguments, _ in BAD])
def test_what_is_refused(folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    (folder / "findings").mkdir()
    code = main(["report", *arguments])
    printed = capsys.readouterr()
    assert (code, printed.out, len(printed.err.splitlines())) == (2, "", 1)
    assert said in printed.err
    assert not (folder / "page.html").exists()


def test_a_page_that_anybody_may_read(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = folder / "page.html"
    assert main(["report", "campaign"]) == 0
    assert (
        capsys.readouterr().out
        == f"{page}: too little is proven: 103 agreements with rows over 1 rule that fired, in 111 checks\n"
    )
    assert page.stat().st_mode & 0o777 == 0o644


def test_the_same_folder_twice_is_one_campaign(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "campaign", "campaign/../campaign", "--out", "page.html"]) == 0
    assert "111 checks" in capsys.readouterr().out
