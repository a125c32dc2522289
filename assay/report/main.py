"""``tox run -e report -- DIR…``: one self-contained HTML page of the campaigns in these folders."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assay.report.campaigns import read_campaigns
from assay.report.render import render
from assay.report.sections import page_of
from assay.report.summary import conclusion
from assay.session.ending import BadInput, Exit
from oracles.answers.atomic import write_text
from oracles.failures.caller import caller_folder
from oracles.triage.divergences import load

PAGE = "page.html"
_MODE = 0o644  # it is for others to read, unlike what is put aside while it is written


def run(
    folders: Sequence[Path],
    out: Path | None,
    mutants: Sequence[Path],
    verified: Sequence[Path],
    inverted: Sequence[Path],
) -> int:
    """Write the page of the campaigns in ``folders``, and print where it is; BadInput where there is no campaign."""
    if not folders:
        raise BadInput("report: name at least one campaign's folder")
    campaigns = read_campaigns(folders, mutants, caller_folder(), verified, inverted)
    path = out or folders[0] / PAGE
    _write(path, render(page_of(campaigns, load())))
    print(f"{path}: {conclusion(campaigns).sentence}")
    return Exit.GREEN


def _write(path: Path, text: str) -> None:
    try:
        write_text(path, text)
        path.chmod(_MODE)
    except OSError as error:
        raise BadInput(f"{path}: can't be written: {error.strerror}") from error
