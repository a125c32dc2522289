"""The regression corpus: the failure files of bugs that were found once."""

from __future__ import annotations

from pathlib import Path

CORPUS = Path(__file__).resolve().parents[2] / "tests" / "regressions"


def corpus_files(folder: Path = CORPUS) -> list[Path]:
    """The corpus, in the order of its names; empty if there is no such folder."""
    return sorted(folder.glob("*.json"))
