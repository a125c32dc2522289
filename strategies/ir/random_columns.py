"""Relations with a column of a nondeterministic function, whose answer is determined all the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from strategies.ir.arrangement import Repartition, Sort
from strategies.ir.bags import SortKey, names_every_column
from strategies.ir.expressions import Col
from strategies.ir.relations import Field, Relation
from strategies.ir.types import BIGINT, BOOLEAN

RandomFunction = Literal["rand", "uuid", "explode", "length"]
RANDOM_FUNCTIONS: tuple[RandomFunction, ...] = get_args(RandomFunction)
"""Where a random value comes from: a function, or the one element of an array of ``rand()``, a row for each element.

``length`` is the length of a ``uuid()``, which is always the same: it is read once, and no projection is below.
"""


@dataclass(frozen=True, slots=True)
class RowNumbers(Relation):
    """The rows of ``child``, each with its place from 0 in ``order``, which names all columns: ties are equal rows.

    Spark counts with ``monotonically_increasing_id()`` over one sorted partition. So a rule that moves what drops,
    repeats or turns rows past this projection changes the numbers.
    """

    child: Relation
    order: tuple[SortKey, ...]
    name: str

    def __post_init__(self) -> None:
        fields = self.in_order.fields
        if not all(isinstance(key.value, Col) for key in self.order):
            raise self._refuse("an order is one of columns")
        if not names_every_column([key.value for key in self.order], fields):
            raise self._refuse("the order must name every column, or ties would be up to the engine")
        self._outputs((*fields, Field(self.name, BIGINT)))

    @property
    def in_order(self) -> Sort:
        """The rows in one partition, in which Spark counts them."""
        return Sort(Repartition(self.child, "coalesce", 1), self.order, within=True)


@dataclass(frozen=True, slots=True)
class RandomColumn(Relation):
    """The rows of ``child``, each with TRUE, as which a test turns out that reads one random value several times.

    A projection below makes the value. So a rule that makes it once for each time that it is read changes the answer.
    The function ``length`` alone is read once.
    """

    child: Relation
    name: str
    function: RandomFunction = "rand"

    def __post_init__(self) -> None:
        self._determined(self.child)
        if self.function not in RANDOM_FUNCTIONS:
            raise self._refuse(f"no function {self.function!r}")
        names = [field.name.casefold() for field in self.child.fields]
        if len(set(names)) < len(names):
            raise self._refuse("needs columns with names of their own, which it lists")
        self._outputs((*self._unqualified(self.child.fields), Field(self.name, BOOLEAN)))

    @property
    def hidden(self) -> str:
        """The name of the column with the random value, which no other column has."""
        taken = {field.name.casefold() for field in self.fields}
        return next(name for name in map("r{}".format, range(len(taken) + 1)) if name not in taken)
