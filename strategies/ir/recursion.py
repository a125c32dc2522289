"""Recursive common table expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from strategies.ir.expressions import Col, Expr
from strategies.ir.references import outers_of, subqueries_of
from strategies.ir.relations import Field, Item, Relation
from strategies.ir.types import INT, type_text

MAX_STEPS = 4


@dataclass(frozen=True, slots=True)
class Recursive(Relation):
    """``WITH RECURSIVE r (names) AS (anchor UNION ALL step) SELECT * FROM r``, which reads itself in the step alone.

    The anchor is ``child`` with a counter, the last column, at 0. The step makes a row of each row before that meets
    ``condition``, until the counter has come to ``steps``: with the counter raised by one, the value of each of
    ``changes`` in the column of its name, and the other columns as they were. So it ends, whatever the rows are.

    Expressions of the step refer to the columns by ``names``, the counter's too. A subquery refers to none of them, and
    nothing to the query around.
    """

    child: Relation
    names: tuple[str, ...]
    steps: int = 1
    changes: tuple[Item, ...] = ()
    condition: Expr | None = None

    def __post_init__(self) -> None:
        self._determined(self.child)
        if len(self.names) != len(self.child.fields) + 1:
            raise self._refuse(f"{len(self.names)} names for {len(self.child.fields)} columns and a counter")
        if len({name.casefold() for name in self.names}) < len(self.names):
            raise self._refuse(f"a column name twice: {list(self.names)}")
        if not isinstance(self.steps, int) or not 0 <= self.steps <= MAX_STEPS:
            raise self._refuse(f"{self.steps!r} steps are not from 0 to {MAX_STEPS}")
        kinds = (*(field.type for field in self.child.fields), INT)
        self._outputs(map(Field, self.names, kinds))
        self._check_changes()
        if self.condition is not None:
            self._predicate(self.condition, self.fields)
        if any(True for _ in outers_of(self)):
            raise self._refuse("nothing in it may refer to the query around")

    def _check_changes(self) -> None:
        if len({item.name for item in self.changes}) < len(self.changes):
            raise self._refuse("a column is changed twice")
        kinds = {field.name: field.type for field in self.fields[:-1]}
        for item in self.changes:
            if not isinstance(item.value, Expr):
                raise self._refuse(f"{item.name} is an aggregate")
            if kinds.get(item.name) != item.value.type:
                raise self._refuse(f"no column {item.name} {type_text(item.value.type)} to change")
            if next(subqueries_of(item), None) is not None:
                raise self._refuse("a changed value must have no subquery")
            self._resolve(item, self.fields)

    @property
    def counter(self) -> Col:
        """The column with the number of steps that made a row."""
        return self.fields[-1].column()

    @property
    def next_row(self) -> tuple[Expr, ...]:
        """The values that the step gives the columns, without the counter's."""
        changed: Mapping[str, Expr] = {item.name: item.value for item in self.changes if isinstance(item.value, Expr)}
        return tuple(changed.get(field.name, field.column()) for field in self.fields[:-1])
