"""``tox run -e report -- DIR…``: one self-contained HTML page of the campaigns in these folders."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from assay.report.campaigns import read_campaigns
from assay.report.render import render
from assay.report.sections import page_of
from assay.report.summary import conclusion
from assay.session.ending import BadInput, Exit
from assay.session.options import caller_folder
from oracles.answers.atomic import write_text
from oracles.triage.divergences import load

PAGE = "page.html"
_MODE = 0o644  # it is for others to read, unlike what is put aside while it is written


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, and say where it is; BAD_INPUT where there is nothing to tell of."""
    parser = argparse.ArgumentParser(prog="report", description="Write a page of campaigns.")
    parser.add_argument("folders", nargs="*", metavar="DIR", help="folders of campaigns, reported as one")
    parser.add_argument("--out", metavar="FILE", help=f"the page; {PAGE} in the first folder")
    parser.add_argument("--mutants", action="append", default=[], metavar="FILE", help="a summary of hunted mutants")
    raw = parser.parse_args(arguments)
    here = caller_folder()
    try:
        if not raw.folders:
            raise BadInput("report: name at least one campaign's folder")
        folders = [here / folder for folder in raw.folders]
        campaigns = read_campaigns(folders, [here / file for file in raw.mutants], here)
        path = here / raw.out if raw.out else folders[0] / PAGE
        _write(path, render(page_of(campaigns, load())))
    except BadInput as problem:
        print(problem, file=sys.stderr)
        return Exit.BAD_INPUT
    print(f"{path}: {conclusion(campaigns).sentence}")
    return Exit.GREEN


def _write(path: Path, text: str) -> None:
    try:
        write_text(path, text)
        path.chmod(_MODE)
    except OSError as error:
        raise BadInput(f"{path}: can't be written: {error.strerror}") from error


if __name__ == "__main__":
    sys.exit(main())
