"""Operations of typed Datasets: functions of users over a row as an object, each with its meaning in the algebra."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from strategies.ir.aggregates import Agg
from strategies.ir.expressions import Call, CaseWhen, Coalesce, Compare, Expr, IsNull, Lit, Remainder, When
from strategies.ir.grouping import Aggregate
from strategies.ir.relations import Field, Filter, Item, Project, Relation, from_fields
from strategies.ir.types import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    INT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Decimal,
    SqlType,
    type_text,
)


@dataclass(frozen=True, slots=True)
class RowFunction:
    """A function of one column's value: the types that it takes (None: all), and the expression that equals it."""

    takes: tuple[SqlType, ...] | None
    meaning: Callable[[Expr], Expr]


def _zero(value: Expr) -> Lit:
    return Lit(value.type, 0)


ROW_TESTS: dict[str, RowFunction] = {
    "is_known": RowFunction(None, lambda value: IsNull(value, negated=True)),
    "is_null": RowFunction(None, IsNull),
    "is_even": RowFunction((INT,), lambda value: Compare("=", Remainder(value, 2), _zero(value))),
    "is_empty": RowFunction((STRING,), lambda value: Compare("=", value, Lit(STRING, ""))),
}
"""The conditions of typed filters. None is true of NULL, but for ``is_null``."""

ROW_CHANGES: dict[str, RowFunction] = {
    "same": RowFunction(None, lambda value: value),
    "null": RowFunction(None, lambda value: Lit(value.type, None)),
    "zero_if_null": RowFunction((INT, BIGINT), lambda value: Coalesce((value, _zero(value)))),
    "null_if_negative": RowFunction(
        (INT, BIGINT),
        lambda value: CaseWhen((When(Compare("<", value, _zero(value)), Lit(value.type, None)),), value),
    ),
    "mark": RowFunction(
        (STRING,),
        lambda value: CaseWhen((When(IsNull(value), Lit(STRING, "none")),), Call("concat", (value, Lit(STRING, "!")))),
    ),
}
"""The new values of typed maps, of the column's type. None raises."""

_KEYS: tuple[SqlType, ...] = (BOOLEAN, INT, BIGINT, STRING, BINARY, DATE, TIMESTAMP, TIMESTAMP_NTZ)


def is_row_key(kind: SqlType) -> bool:
    """Whether rows can be grouped by a value of ``kind`` as an object: -0.0 and 0.0, which SQL groups together, are
    two, inside of arrays and structs, too.
    """
    return kind in _KEYS or isinstance(kind, Decimal)


@dataclass(frozen=True, slots=True)
class Typed(Relation):
    """An operation of a typed Dataset over the rows of ``child``, which have no name twice, by its field ``column``."""

    child: Relation
    column: str

    def _of_rows(self) -> Field:
        """The field ``column``; refuses a child without it, or with a name twice."""
        self._determined(self.child)
        names = [field.name for field in self.child.fields]
        if len(set(names)) < len(names):
            raise self._refuse(f"a row's object has a name twice: {names}")
        found = next((field for field in self.child.fields if field.name == self.column), None)
        if found is None:
            raise self._refuse(f"no column {self.column} in {names}")
        return found

    def _of_function(self, known: dict[str, RowFunction], function: str) -> None:
        """Set the output, which is the child's; refuses a function that is not ``known``, or of another type."""
        kind = self._of_rows().type
        if function not in known:
            raise self._refuse(f"no function {function!r}")
        takes = known[function].takes
        if takes is not None and kind not in takes:
            raise self._refuse(f"{function} takes no {type_text(kind)}")
        self._outputs(self._unqualified(self.child.fields))

    @property
    def place(self) -> int:
        """The place of ``column`` in a row."""
        return [field.name for field in self.child.fields].index(self.column)

    @property
    def value(self) -> Expr:
        """The column as an expression over the child."""
        return from_fields(self.child)[self.place].column()

    @property
    def meaning(self) -> Relation:
        """The relation without objects that has the same rows."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class TypedFilter(Typed):
    """``child.filter(row => function(row(column)))`` of :data:`ROW_TESTS`."""

    function: str

    def __post_init__(self) -> None:
        self._of_function(ROW_TESTS, self.function)

    @property
    def meaning(self) -> Relation:
        """The filter by a condition."""
        return Filter(self.child, ROW_TESTS[self.function].meaning(self.value))


@dataclass(frozen=True, slots=True)
class TypedMap(Typed):
    """``child.map(row => row with function(row(column)) in place of the column)`` of :data:`ROW_CHANGES`."""

    function: str

    def __post_init__(self) -> None:
        self._of_function(ROW_CHANGES, self.function)

    @property
    def meaning(self) -> Relation:
        """The projection of all columns, of which one is computed."""
        new = ROW_CHANGES[self.function].meaning(self.value)
        fields = from_fields(self.child)
        return Project(
            self.child,
            tuple(Item(f.name, new if at == self.place else f.column()) for at, f in enumerate(fields)),
        )


@dataclass(frozen=True, slots=True)
class TypedCount(Typed):
    """``child.groupByKey(row => row(column)).mapGroups((key, rows) => (key, rows.size))``, with columns ``column`` and
    ``name``.
    """

    name: str

    def __post_init__(self) -> None:
        field = self._of_rows()
        if not is_row_key(field.type):
            raise self._refuse(f"rows can't be grouped by {type_text(field.type)}")
        if self.name == self.column:
            raise self._refuse(f"two columns {self.name}")
        self._outputs((Field(field.name, field.type), Field(self.name, BIGINT)))

    @property
    def meaning(self) -> Relation:
        """The aggregate that counts."""
        return Aggregate(self.child, (Item(self.column, self.value),), (Item(self.name, Agg("count")),))
