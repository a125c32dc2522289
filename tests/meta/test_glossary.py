"""Docstrings use the glossary's words: the old idiom that docs/glossary.md lists as gone is gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    path.relative_to(ROOT)
    for top in ("assay", "oracles", "strategies", "docs")
    for path in (ROOT / top).rglob("*")
    if path.suffix in (".py", ".jinja")
)


def gone(glossary: str) -> list[str]:
    """The words in the left column of the table below the heading 'Words that are gone'."""
    table = glossary.partition("## Words that are gone")[2]
    cells = re.findall(r"^\| ([a-z][a-z, ]*?) \|", table, re.MULTILINE)
    return [word for cell in cells if cell != "gone" for word in cell.split(", ")]


GONE = gone((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))


def read_texts(path: Path) -> Iterator[str]:
    """The texts of a module, or a template as it is."""
    source = path.read_text(encoding="utf-8")
    return texts(source) if path.suffix == ".py" else iter((source,))


def texts(source: str) -> Iterator[str]:
    """The texts of ``source``: docstrings, those below a constant included, and messages."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def found(said: Iterable[str]) -> list[str]:
    """The words of GONE that the texts ``said`` have, as whole words, in any case and over line ends."""
    flat = "\n".join(" ".join(text.split()) for text in said)
    return [word for word in GONE if re.search(rf"\b{word}\b", flat, re.IGNORECASE)]


def test_the_list_is_read() -> None:
    assert {"quarry", "prey", "made small", "told of"} <= set(GONE)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_texts_have_no_word_that_is_gone(path: Path) -> None:
    assert found(read_texts(ROOT / path)) == []


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('"""The quarry."""', ["quarry"]),
        ('"""A finding, made\n    small."""', ["made small"]),
        ('X = 1\n"""Told of."""', ["told of"]),
        ('raise ValueError("no prey")', ["prey"]),
        ('"""Preyed upon, and remade small."""', []),
        ("quarry = 1", []),
    ],
    ids=["in a docstring", "over a line's end", "below a constant", "in a message", "part of a word", "a name"],
)
def test_a_word_that_is_gone_is_seen(source: str, words: list[str]) -> None:
    assert found(texts(source)) == words


def test_templates_are_read_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.jinja").write_text("Found, and made small.", encoding="utf-8")
    assert found(read_texts(tmp_path / "a.jinja")) == ["made small"]
    assert {path.suffix for path in FILES} == {".py", ".jinja"}
