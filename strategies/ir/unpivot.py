"""UNPIVOT: columns become rows."""

from __future__ import annotations

from dataclasses import dataclass

from strategies.ir.expressions import Col
from strategies.ir.relations import Field, Relation
from strategies.ir.types import STRING


@dataclass(frozen=True, slots=True)
class Unpivot(Relation):
    """``child UNPIVOT (value FOR name IN (columns))``: each row once for each of ``columns``, which have one type.

    The other columns stay, and two follow: ``name`` has the column's name, ``value`` its value. With ``nulls`` rows
    whose value is NULL stay, too.
    """

    child: Relation
    columns: tuple[Col, ...]
    name: str
    value: str
    nulls: bool = False

    def __post_init__(self) -> None:
        self._determined(self.child)
        inputs = self._unqualified(self.child.fields)
        if len({field.name.casefold() for field in inputs}) < len(inputs):
            raise self._refuse("needs an input without a name twice")
        if not self.columns or len(set(self.columns)) < len(self.columns):
            raise self._refuse("needs at least one column and none twice")
        if len({column.type for column in self.columns}) > 1:
            raise self._refuse("needs columns of one type")
        for column in self.columns:
            self._resolve(column, inputs)
        rest = [inputs[place] for place in self.kept]
        names = [name.casefold() for name in (*(field.name for field in rest), self.name, self.value)]
        if len(set(names)) < len(names):
            raise self._refuse(f"{self.name} and {self.value} must be new names")
        self._outputs((*rest, Field(self.name, STRING), Field(self.value, self.columns[0].type)))

    @property
    def kept(self) -> tuple[int, ...]:
        """The places in the input of the columns that stay, in the order of the first fields."""
        gone = {column.name for column in self.columns}
        return tuple(place for place, field in enumerate(self.child.fields) if field.name not in gone)
