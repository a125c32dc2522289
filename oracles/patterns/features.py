"""The features of a case as words: for fingerprints, to tell bugs apart, and for patterns made from a case."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from strategies.ir import (
    Call,
    Case,
    Col,
    Compare,
    Join,
    Lit,
    Relation,
    SetOp,
    Settings,
    SqlType,
    TypedFilter,
    TypedMap,
    UserCall,
    Verbatim,
    is_in_python,
    walk,
)

MADE_OF = "made of: "
"""The prefix of a pattern that lists features."""

_EVERYWHERE = frozenset({"Alias", "Col", "CteScan", "Item", "Lit", "Scan", "Values", "ValuesRow"})
"""Features that shrinking puts in place of others."""
_PLAIN_TYPES = ("BOOLEAN", "INT")


def shape(query: Relation) -> set[str]:
    """The features of a query, without names, constants and repetition."""
    return {_label(node) for node in walk(query)}


def _label(node: Any) -> str:
    name = type(node).__name__
    if isinstance(node, Join):
        return f"{name}:{node.kind}"
    if isinstance(node, SetOp):
        return f"{name}:{node.kind}{'-all' if node.all else ''}"
    if isinstance(node, Verbatim):
        return f"{name}:{hashlib.sha256(node.spark.encode()).hexdigest()[:16]}"
    if isinstance(node, Call):
        return f"{name}:{node.function}"
    if isinstance(node, UserCall):
        return f"{name}:{node.name}"
    if is_in_python(node):
        return f"{name}:python"
    if isinstance(node, (TypedFilter, TypedMap)):
        return f"{name}:{node.function}"
    return f"{name}:{node.op}" if isinstance(node, Compare) else name


def operator_parts(case: Case) -> set[str]:
    """The features of a case that are relational operators, without those of any query."""
    return {_label(node) for node in walk(case.query) if isinstance(node, Relation)} - _EVERYWHERE


def parts(case: Case) -> set[str]:
    """The features of a case: its query's, without those of any query, and the settings that aren't the defaults."""
    ours, usual = (asdict(settings) for settings in (case.settings, Settings()))
    entries = {f"{key}={value}" for key, value in ours.pop("conf")}
    entries |= {f"capability={each}" for each in ours.pop("capabilities")}
    changed = {f"{name}={ours[name]}" for name in ours if ours[name] != usual[name]}
    return (shape(case.query) - _EVERYWHERE) | changed | entries


def typed_parts(case: Case) -> set[str]:
    """The features of a case, and the types of columns and constants, except those that shrinking ends at."""
    kinds = {kind for node in walk(case.query) if isinstance(node, (Col, Lit)) for kind in _type_words(node.type)}
    return parts(case) | {f"type {kind}" for kind in kinds if kind not in _PLAIN_TYPES}


def _type_words(kind: SqlType) -> Iterator[str]:
    """The type's name, without lengths, fields or elements."""
    yield repr(kind).partition("(")[0].partition("<")[0]


def pattern_of(case: Case) -> str:
    """The pattern of all cases with all features of ``case``."""
    return MADE_OF + ", ".join(sorted(typed_parts(case)))


def listed(pattern: str) -> set[str]:
    """The features that ``pattern`` lists."""
    return {part for part in map(str.strip, pattern.removeprefix(MADE_OF).split(",")) if part}


def has_all(pattern: str, case: Case) -> bool:
    """Whether ``case`` has all features that ``pattern`` lists."""
    return listed(pattern) <= typed_parts(case)
