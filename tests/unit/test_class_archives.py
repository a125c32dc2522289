"""Archives of classes: those of earlier jars of a release go, those of other releases and of another Java stay."""

from __future__ import annotations

from pathlib import Path

from assay.session.class_archive import superseded

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
