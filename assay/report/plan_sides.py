"""A plan before and after a rule, side by side, with what the rule changed marked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_WORD = re.compile(r"\w+(?:#\d+L?)?|\s+|.")
_ALIKE = 0.4
"""Lines that have less in common are not one line that changed."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a line: ``marked`` if the other side hasn't got it."""

    text: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one side. ``kind``: 'same' on both sides, 'changed', or 'filler' beside a line of the other side."""

    pieces: tuple[Piece, ...]
    kind: str = "same"


FILLER = Line((), "filler")


@dataclass(frozen=True, slots=True)
class Sides:
    """The plan before and after ``rule``: equally many lines, one beside the other."""

    rule: str
    before: tuple[Line, ...]
    after: tuple[Line, ...]


def sides(rule: str, before: str, after: str) -> Sides:
    """Two plans, as Spark prints them, line by line."""
    old, new = before.rstrip().splitlines(), after.rstrip().splitlines()
    pairs = list(_pairs(old, new))
    return Sides(rule, tuple(left for left, _ in pairs), tuple(right for _, right in pairs))


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Line, Line]]:
    # Where an operator moved down, its children are the same lines further in: branches don't tell lines apart.
    matcher = SequenceMatcher(
        None, [_operator(line) for line in old], [_operator(line) for line in new], autojunk=False
    )
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            yield from (
                (Line((Piece(left),)), Line((Piece(right),))) for left, right in zip(old[a:b], new[c:d], strict=True)
            )
        else:
            yield from _changed(old[a:b], new[c:d])


def _operator(line: str) -> str:
    return line.lstrip(" :+-")


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[Line, Line]]:
    """Lines of both sides in their order; those that stand at the same place and are alike beside each other."""
    for place in range(max(len(old), len(new))):
        left = old[place] if place < len(old) else None
        right = new[place] if place < len(new) else None
        if left is not None and right is not None and _alike(left, right):
            yield _marked(left, right)
            continue
        if left is not None:
            yield Line((Piece(left, True),), "changed"), FILLER
        if right is not None:
            yield FILLER, Line((Piece(right, True),), "changed")


def _alike(left: str, right: str) -> bool:
    return SequenceMatcher(None, _words(left), _words(right), autojunk=False).ratio() >= _ALIKE


def _marked(left: str, right: str) -> tuple[Line, Line]:
    old, new = _words(left), _words(right)
    ours: list[Piece] = []
    theirs: list[Piece] = []
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if a < b:
            ours.append(Piece("".join(old[a:b]), kind != "equal"))
        if c < d:
            theirs.append(Piece("".join(new[c:d]), kind != "equal"))
    return Line(tuple(ours), "changed"), Line(tuple(theirs), "changed")


def _words(line: str) -> list[str]:
    return _WORD.findall(line)
