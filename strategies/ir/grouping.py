"""Relations that make one row of a group of rows."""

from __future__ import annotations

from dataclasses import dataclass

from strategies.ir.expressions import Agg, Expr
from strategies.ir.relations import Field, Item, Relation, check_names


@dataclass(frozen=True, slots=True)
class Aggregate(Relation):
    """``SELECT keys, aggregates FROM child GROUP BY keys HAVING having``; no keys is one group, even of no rows.

    ``having`` is a condition over the output columns, by their names.
    """

    child: Relation
    keys: tuple[Item, ...]
    aggregates: tuple[Item, ...]
    having: Expr | None = None

    def __post_init__(self) -> None:
        if not self._only_counts():
            self._determined(self.child)
        check_names(self, (*self.keys, *self.aggregates))
        for item in (*self.keys, *self.aggregates):
            self._resolve(item, self.child.fields)
        if any(isinstance(key.value, Agg) for key in self.keys):
            raise self._refuse("a key must not be an aggregate")
        if not all(isinstance(item.value, Agg) for item in self.aggregates):
            raise self._refuse("aggregates must be Agg")
        self._outputs(Field(item.name, item.value.type) for item in (*self.keys, *self.aggregates))
        if self.having is not None:
            self._predicate(self.having, self.fields)

    def _only_counts(self) -> bool:
        return not self.keys and all(item.value == Agg("count") for item in self.aggregates)
