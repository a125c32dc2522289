"""What a rule looks for in a plan, and whether its point is too late for that.

Spark replaces some operators before most rules get to see a plan: a rule for EXCEPT that is injected among the
optimizer's own never acts. What a rule looks for is read off its compiled class: what operators it asks a node to be.
"""

from __future__ import annotations

import re
import struct
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

_ANALYSIS = ("resolution", "post-hoc-resolution", "hint-resolution", "check")
_NORMALIZATION = "plan-normalization"


class _Last(NamedTuple):
    """The latest point at which there are operators of a kind, and those at which there are."""

    point: str
    points: tuple[str, ...]


_UNTIL_NORMALIZATION = _Last(_NORMALIZATION, (*_ANALYSIS, _NORMALIZATION))
_IN_ANALYSIS = _Last("post-hoc-resolution", _ANALYSIS)
_LAST: dict[str, _Last] = {
    # The batch Replace Operators takes these.
    "Except": _UNTIL_NORMALIZATION,
    "Intersect": _UNTIL_NORMALIZATION,
    "Distinct": _UNTIL_NORMALIZATION,
    "Deduplicate": _UNTIL_NORMALIZATION,
    # The batch Finish Analysis takes this one.
    "ResolvedHint": _UNTIL_NORMALIZATION,
    # What only names things: rules at plan-normalization are handed plans without.
    "SubqueryAlias": _IN_ANALYSIS,
    "View": _IN_ANALYSIS,
}


def gone_at(point: str) -> frozenset[str]:
    """Kinds of operators, by their classes' names, that no plan holds any more at an injection point."""
    return frozenset(kind for kind, last in _LAST.items() if point not in last.points)


def too_late(point: str, wanted: Iterable[str]) -> tuple[str, ...]:
    """One line for each point that a rule at ``point`` should rather stand at, given what it looks for.

    ``Except no longer exists at optimizer; try @plan-normalization``: none where ``point`` will do.
    """
    late: dict[str, list[str]] = {}
    for kind in sorted(gone_at(point) & set(wanted)):
        late.setdefault(_LAST[kind].point, []).append(kind)
    return tuple(
        f"{_listed(kinds)} no longer exist{'s' if len(kinds) == 1 else ''} at {point}; try @{better}"
        for better, kinds in late.items()
    )


def never_met(wanted: Iterable[str], seen: Collection[str]) -> tuple[str, ...]:
    """Of what a rule looks for, by name, what none of the plans held that it was handed."""
    return tuple(sorted(kind for kind in set(wanted) if kind not in seen))


def most_seen(seen: Mapping[str, int], count: int = 10) -> tuple[tuple[str, int], ...]:
    """The kinds of operators in most of the plans that a rule was handed, with the number of these plans."""
    return tuple(sorted(seen.items(), key=lambda entry: (-entry[1], entry[0]))[:count])


def _listed(kinds: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(kinds[:-1]), kinds[-1])))


_LOGICAL = "org/apache/spark/sql/catalyst/plans/logical/"
_INSTANCEOF = 0xC1


def wanted_nodes(jars: Iterable[Path], class_name: str) -> frozenset[str]:
    """The logical operators that a rule's class asks a node to be, as a pattern match does; what it only makes is none.

    Empty where ``class_name`` is in none of ``jars``, or leaves the asking to others. ValueError for a broken class
    file.
    """
    path = re.escape(class_name.replace(".", "/"))
    own = re.compile(rf"{path}(\$.*)?\.class")
    kinds: set[str] = set()
    for jar in jars:
        with zipfile.ZipFile(jar) as archive:
            for name in archive.namelist():
                if own.fullmatch(name):
                    kinds |= set(_asked(archive.read(name)))
    return frozenset(kinds)


def _asked(code: bytes) -> Iterator[str]:
    """The logical operators behind each ``instanceof`` of a class file, which names a class by its place in the pool.

    Operands are not told apart from instructions: that a number reads as one and happens to name an operator is rare,
    and would cost no more than a hint too many.
    """
    names = _class_names(code)
    for place in range(len(code) - 2):
        if code[place] == _INSTANCEOF:
            (number,) = struct.unpack_from(">H", code, place + 1)
            name = names.get(number, "")
            if name.startswith(_LOGICAL) and "$" not in name:
                yield name.removeprefix(_LOGICAL)


_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
"""Bytes of each kind of constant (The Java Virtual Machine Specification, 4.4); text, 1, says its own length."""
_TEXT, _CLASS, _WIDE = 1, 7, (5, 6)


def _class_names(code: bytes) -> dict[int, str]:
    """The class constants of a class file by number."""
    if code[:4] != b"\xca\xfe\xba\xbe":
        raise ValueError("not a class file")
    (count,) = struct.unpack_from(">H", code, 8)
    texts: dict[int, str] = {}
    classes: dict[int, int] = {}
    place, number = 10, 1
    while number < count:
        kind = code[place]
        if kind == _TEXT:
            (size,) = struct.unpack_from(">H", code, place + 1)
            texts[number] = code[place + 3 : place + 3 + size].decode("utf-8", errors="replace")
            size += 2
        else:
            if kind not in _SIZES:
                raise ValueError(f"a class file with a constant of an unknown kind, {kind}")
            size = _SIZES[kind]
            if kind == _CLASS:
                (classes[number],) = struct.unpack_from(">H", code, place + 1)
        place += 1 + size
        number += 2 if kind in _WIDE else 1
    return {number: texts[text] for number, text in classes.items()}
