"""Files that are whole or not there."""

from __future__ import annotations

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


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r")))
def test_text_is_written_as_it_is(text: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "deep" / "down" / "file"
        write_text(path, text)
        assert path.read_text(encoding="utf-8") == text
        assert list(path.parent.iterdir()) == [path]
