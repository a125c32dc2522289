"""Plans as they are proven: columns by the ids of their attributes, operators on bags of rows, three-valued logic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["number", "boolean", "null"]
"""The type of a column: whole numbers of any width, truth values, or the type that only has NULL."""
JoinKind = Literal["inner", "left", "right", "full", "semi", "anti", "existence"]
CountedKind = Literal["Except", "ExceptAll", "Intersect", "IntersectAll", "Distinct"]


class NotEncodable(Exception):
    """A plan is outside of what can be proven; the text says what it is made of, the same for all such plans."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the input; ``promised``: it is declared to be without NULL."""

    id: int
    promised: bool = False


@dataclass(frozen=True, slots=True)
class Constant:
    """A whole number, a truth value or NULL."""

    value: int | bool | None


@dataclass(frozen=True, slots=True)
class Apply:
    """An expression by Catalyst's name of it: ``And``, ``EqualTo``, ``Cast to boolean``."""

    name: str
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Aggregated:
    """An aggregate function over the rows of a group for which ``where`` holds, or over their distinct arguments."""

    name: str
    arguments: tuple[Expr, ...]
    distinct: bool = False
    where: Expr | None = None


Expr = Column | Constant | Apply | Aggregated


@dataclass(frozen=True, slots=True)
class Item:
    """An expression, and the id of the column that holds its values."""

    id: int
    expression: Expr


@dataclass(frozen=True, slots=True)
class Table:
    """A table, by its name, with the ids and types of its columns."""

    name: str
    output: tuple[int, ...]
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class OneRow:
    """One row without columns."""


@dataclass(frozen=True, slots=True)
class Project:
    """A row of ``items`` for each row."""

    items: tuple[Item, ...]
    child: Plan


@dataclass(frozen=True, slots=True)
class Filter:
    """The rows for which ``condition`` is TRUE, and not NULL."""

    condition: Expr
    child: Plan


@dataclass(frozen=True, slots=True)
class Join:
    """A join; without a condition all rows match. ``exists`` is the id of what an existence join adds."""

    kind: JoinKind
    left: Plan
    right: Plan
    condition: Expr | None = None
    exists: int = -1


@dataclass(frozen=True, slots=True)
class Union:
    """The rows of all inputs; columns go by their places, and have the ids of the first input."""

    inputs: tuple[Plan, ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A row of ``items`` for each group of rows with the same ``keys``; without keys, one row for all."""

    keys: tuple[Expr, ...]
    items: tuple[Item, ...]
    child: Plan


@dataclass(frozen=True, slots=True)
class Replicate:
    """Each row ``copies`` times, none where that is NULL or less than 1: the ``kept`` columns and ``values``."""

    copies: Expr
    kept: tuple[int, ...]
    values: tuple[Expr, ...]
    ids: tuple[int, ...]
    child: Plan


@dataclass(frozen=True, slots=True)
class Counted:
    """A set operator as the reference computes it: by the copies of each row on the left and on the right."""

    kind: CountedKind
    inputs: tuple[Plan, ...]


Plan = Table | OneRow | Project | Filter | Join | Union | Aggregate | Replicate | Counted


def output(plan: Plan) -> tuple[int, ...]:
    """The ids of the columns of ``plan``; of two with one id, the first one is meant."""
    match plan:
        case Table(_, ids):
            return ids
        case OneRow():
            return ()
        case Project(items) | Aggregate(_, items):
            return tuple(item.id for item in items)
        case Replicate(_, kept, _, ids):
            return (*kept, *ids)
        case Join(kind, left, right, _, exists) if kind not in ("semi", "anti"):
            return (*output(left), *((exists,) if kind == "existence" else output(right)))
        case _:
            return output(inputs(plan)[0])


def inputs(plan: Plan) -> tuple[Plan, ...]:
    """The plans right below ``plan``."""
    match plan:
        case Table() | OneRow():
            return ()
        case Join(_, left, right):
            return left, right
        case Union(several) | Counted(_, several):
            return several
        case _:
            return (plan.child,)


def tables(plan: Plan) -> Iterator[Table]:
    """The scans of ``plan``, from the left; a table comes as often as it is read."""
    if isinstance(plan, Table):
        yield plan
    for each in inputs(plan):
        yield from tables(each)
