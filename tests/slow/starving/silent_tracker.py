"""A plugin of pytest: Assay's jar is built from altered sources, and reports none of what Spark's tracker has."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from assay.session import session
from jars.build import MAIN_SOURCES, TARGET, Jars, build

TOLD = "summary.numEffectiveInvocations > 0"


def altered(sources: Path) -> None:
    """Let no rule count as one that changed a plan."""
    (runner,) = sources.rglob("LegRunner.scala")
    text = runner.read_text(encoding="utf-8")
    assert text.count(TOLD) == 1
    runner.write_text(text.replace(TOLD, "summary.numEffectiveInvocations < 0"), encoding="utf-8")


def silent(java: Path, spark_home: Path | None) -> Jars:
    """The jar, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder) / "main"
        shutil.copytree(MAIN_SOURCES, sources)
        altered(sources)
        (Path(folder) / "none").mkdir()
        return build(
            java, spark_home, main_sources=sources, mutant_sources=Path(folder) / "none", target=TARGET / "silent"
        )


session.build = silent
session.archive_flags = lambda java, main: ()
