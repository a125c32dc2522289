"""Files that are whole or not there."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.answers.atomic import write_json, write_text

UNWRITABLE = "a lone surrogate: \ud800"


@pytest.mark.parametrize(
    ("write", "error"),
    [
        (lambda path: write_text(path, UNWRITABLE), UnicodeEncodeError),
        (lambda path: write_json(path, {"reason": UNWRITABLE}), UnicodeEncodeError),
        (lambda path: write_json(path, {"reason": object()}), TypeError),
    ],
    ids=["text", "JSON", "no JSON"],
)
@pytest.mark.parametrize("old", [[], ["old.json"]], ids=["no file", "an old file"])
def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, write, error, old) -> None:
    write_text(tmp_path / "old.json", "old")
    target = tmp_path / (old or ["new.json"])[0]
    with pytest.raises(error):
        write(target)
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]
    assert (tmp_path / "old.json").read_text(encoding="utf-8") == "old"


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o002, 0o664), (0o077, 0o600)], ids=oct)
def test_a_file_has_the_mode_that_the_umask_leaves(tmp_path: Path, mask: int, mode: int) -> None:
    before = os.umask(mask)
    try:
        write_text(tmp_path / "file", "text")
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == mode


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r")))
def test_text_is_written_as_it_is(text: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "deep" / "down" / "file"
        write_text(path, text)
        assert path.read_text(encoding="utf-8") == text
        assert list(path.parent.iterdir()) == [path]
