"""``report``: a page where it is asked for, or one line that says why there is none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.cli.assay import Ended, run
from tests.unit.page_samples import HOSTILE, found, write_campaign


def report(*arguments: object, cwd: Path) -> Ended:
    """``tox run -e report -- arguments`` without tox."""
    return run([sys.executable, "-m", "assay", "report", *arguments], cwd)


TOLD = "3 findings; 103 agreements with rows over 1 rule that fired"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_campaign(tmp_path / "campaign", found())


def test_a_page_in_the_campaigns_folder(folder: Path) -> None:
    ended = report("campaign", cwd=folder.parent)
    page = folder / "page.html"
    assert (ended.code, ended.text.strip()) == (0, f"{page}: {TOLD}"), ended.text
    text = page.read_text(encoding="utf-8")
    assert f"<h1>{TOLD}</h1>" in text
    assert "tox run -e replay -- campaign/findings/" in text
    assert HOSTILE not in text


def test_a_page_elsewhere_and_what_was_there_is_replaced(folder: Path) -> None:
    page = folder.parent / "pages" / "night.html"
    page.parent.mkdir()
    page.write_text("what was there", encoding="utf-8")
    ended = report(folder, "--out", "pages/night.html", cwd=folder.parent)
    assert (ended.code, page.read_text(encoding="utf-8")[:15]) == (0, "<!doctype html>"), ended.text
    assert [path.name for path in page.parent.iterdir()] == ["night.html"]
    assert not (folder / "page.html").exists()


def test_bad_input_is_one_line_and_exit_2(folder: Path) -> None:
    file = min((folder / "ledger" / "rounds").iterdir())
    file.write_bytes(b"PAR1 of another kind PAR1")
    ended = report("campaign", cwd=folder.parent)
    assert (ended.code, str(file) in ended.text, len(ended.text.strip().splitlines())) == (2, True, 1), ended.text
