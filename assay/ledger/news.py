"""Findings that are new in a campaign's folder, and the texts of issues for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assay.fuzz.issue_text import write_issues
from assay.ledger.distinct import Findings, findings_of
from assay.ledger.folder import Folder
from assay.ledger.read import Ledger


def news(before: Findings, after: Findings) -> list[dict[str, Any]]:
    """The entries of ``after`` whose bugs have no finding in ``before``."""
    known = {after.standing.get(fingerprint, fingerprint) for fingerprint in before.standing}
    return [entry for entry in after.entries if entry["fingerprint"] not in known]


def write_news(folder: Folder, before: Findings) -> list[Path]:
    """Write the text of an issue for each finding in ``folder`` that is not in ``before``; the files written."""
    fresh = {entry["fingerprint"] for entry in news(before, findings_of([folder]))}
    with Ledger([folder.path]) as ledger:
        told = [(Path(row["file"]), int(row["count"])) for row in ledger.findings() if row["fingerprint"] in fresh]
    return write_issues(folder.issues, told)
