"""Relations that make one row of a group of rows."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from strategies.ir.aggregates import Agg
from strategies.ir.expressions import Col, Expr, Lit
from strategies.ir.node import Node
from strategies.ir.references import subqueries_of
from strategies.ir.relations import Field, Item, Relation, check_names
from strategies.ir.types import BIGINT, SqlType, type_text

GroupingKind = Literal["rollup", "cube", "sets"]
GROUPING_KINDS: tuple[GroupingKind, ...] = ("rollup", "cube", "sets")


@dataclass(frozen=True, slots=True)
class Aggregate(Relation):
    """``SELECT keys, aggregates FROM child GROUP BY keys HAVING having``; no keys is one group, even of no rows.

    ``having`` is a condition over the output columns, by their names; a subquery in it refers to them so, too.
    """

    child: Relation
    keys: tuple[Item, ...]
    aggregates: tuple[Item, ...]
    having: Expr | None = None

    def __post_init__(self) -> None:
        self._without_statements(self.child)
        if not self._only_counts():
            self._determined(self.child)
        check_names(self, (*self.keys, *self.aggregates))
        for item in (*self.keys, *self.aggregates):
            self._resolve(item, self.child.fields)
        if any(subquery.outer for key in self.keys for subquery in subqueries_of(key)):
            raise self._refuse("a key must not hold a correlated subquery")
        if any(isinstance(key.value, Agg) for key in self.keys):
            raise self._refuse("a key must not be an aggregate")
        if not all(isinstance(item.value, Agg) for item in self.aggregates):
            raise self._refuse("aggregates must be Agg")
        self._outputs(Field(item.name, item.value.type) for item in (*self.keys, *self.aggregates))
        if self.having is not None:
            self._predicate(self.having, self.fields, bare=True)

    def _only_counts(self) -> bool:
        return not self.keys and all(item.value == Agg("count") for item in self.aggregates)


@dataclass(frozen=True, slots=True)
class GroupingId(Node):
    """``grouping(key) AS name``: 1 if the set lacks the key, else 0; with all keys, their bits, the first one highest.

    A BIGINT.
    """

    name: str
    keys: tuple[Expr, ...]

    @property
    def type(self) -> SqlType:
        """BIGINT, the type of both engines' ids of several keys."""
        return BIGINT


@dataclass(frozen=True, slots=True)
class GroupingSets(Relation):
    """``SELECT keys, aggregates, ids FROM child GROUP BY ROLLUP | CUBE | GROUPING SETS … HAVING having``.

    A key is NULL in the rows of a set that leaves it out. ``sets`` are positions of keys, for the kind ``sets``
    alone; every key is in one of them. The empty set has a row of no rows, too (Spark has none: a known divergence).
    """

    child: Relation
    kind: GroupingKind
    keys: tuple[Item, ...]
    aggregates: tuple[Item, ...]
    ids: tuple[GroupingId, ...] = ()
    sets: tuple[tuple[int, ...], ...] = ()
    having: Expr | None = None

    def __post_init__(self) -> None:
        self._determined(self.child)
        if self.kind not in GROUPING_KINDS:
            raise self._refuse(f"no kind {self.kind!r}")
        check_names(self, (*self.keys, *self.aggregates, *self.ids))
        for part in (*self.keys, *self.aggregates, *self.ids):
            self._resolve(part, self.child.fields)
        if not self.keys or any(isinstance(key.value, Agg) for key in self.keys):
            raise self._refuse("needs keys, none of them an aggregate")
        if not all(isinstance(item.value, Agg) for item in self.aggregates):
            raise self._refuse("aggregates must be Agg")
        values = tuple(key.value for key in self.keys)
        if any(found.keys != values and (len(found.keys) != 1 or found.keys[0] not in values) for found in self.ids):
            raise self._refuse("an id is about one key, or all of them in order")
        if any(len(found.keys) > 1 for found in self.ids) and not self.has_number:
            raise self._refuse("an id of all keys takes columns, each once, in the order in which the sets name them")
        places = range(len(self.keys))
        in_sets = [place for places in self.sets for place in places]
        if set(in_sets) != (set(places) if self.kind == "sets" else set()):
            raise self._refuse(f"the {self.kind} of {len(self.keys)} keys can't be {self.sets}")
        if any(len(set(places)) != len(places) for places in self.sets):
            raise self._refuse(f"a set has a key twice: {self.sets}")
        computed = (Field(item.name, item.value.type) for item in (*self.keys, *self.aggregates))
        self._outputs((*computed, *(Field(grouping.name, grouping.type) for grouping in self.ids)))
        if self.having is not None:
            self._predicate(self.having, self.fields)

    @property
    def has_number(self) -> bool:
        """Whether grouping_id of all keys works: Spark orders the keys by the sets, and drops equal keys."""
        values = [key.value for key in self.keys]
        named = list(dict.fromkeys(place for places in self.sets for place in places)) or list(range(len(values)))
        return (
            all(isinstance(value, Col) for value in values)
            and len(set(values)) == len(values)
            and named == sorted(named)
        )

    @property
    def grouped_by(self) -> tuple[tuple[int, ...], ...]:
        """The sets of keys, as positions, for any kind."""
        places = tuple(range(len(self.keys)))
        if self.kind == "rollup":
            return tuple(places[:size] for size in reversed(range(len(places) + 1)))
        if self.kind == "cube":
            return tuple(found for size in reversed(range(len(places) + 1)) for found in combinations(places, size))
        return self.sets


@dataclass(frozen=True, slots=True)
class PivotValue(Node):
    """``literal AS name`` in the list of a pivot."""

    name: str
    literal: Lit


@dataclass(frozen=True, slots=True)
class Pivot(Relation):
    """``PIVOT (aggregate FOR column IN (values))``: a row for each group of ``keys`` (one group without keys), and a
    column for each value: the aggregate over the rows of the group with that value in ``column``.

    NULL where there is no such row, even for count.
    """

    child: Relation
    keys: tuple[Item, ...]
    aggregate: Agg
    column: Expr
    values: tuple[PivotValue, ...]

    def __post_init__(self) -> None:
        self._determined(self.child)
        check_names(self, (*self.keys, *self.values))
        for part in (*self.keys, self.aggregate, self.column):
            self._resolve(part, self.child.fields)
        if any(isinstance(key.value, Agg) for key in self.keys):
            raise self._refuse("a key must not be an aggregate")
        literals = [value.literal for value in self.values]
        if not literals or len(set(literals)) != len(literals):
            raise self._refuse("needs at least one value and none twice")
        if any(literal.type != self.column.type for literal in literals):
            raise self._refuse(f"values must be {type_text(self.column.type)}, as the column is")
        keys = (Field(item.name, item.value.type) for item in self.keys)
        self._outputs((*keys, *(Field(value.name, self.aggregate.type) for value in self.values)))
