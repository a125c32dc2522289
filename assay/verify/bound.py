"""The bound of a verification: the greatest query, table and database, the number of pairs of plans, and the time."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from assay.session.ending import BadInput
from assay.verify.grammar import LEVELS, NAMED_ORDER, Level, Schema
from assay.verify.vocabulary import CENTS, VALUES
from strategies.ir import BOOLEAN, DOUBLE, INT, STRING, Settings, SqlType

PAIRS = 100
SECONDS = 300.0
OTHER_TYPES = (DOUBLE, STRING, BOOLEAN, CENTS)
"""The types of the columns of tables, beside whole numbers."""
_LATER, _LATER_THAN_NAMED = 3, 5
"""So many levels over whole numbers come before the first one of another type, as most rules ask for no type; of a rule
that is about some operators so many levels of these alone come before the first one with others."""
_MOST = {"rows": 3, "values": 4, "tables": 3, "operators": 3}
"""The greatest bounds: a version of a table is a number of two bytes, and no run gets through more."""


Part = Literal["all", "named", "others"]


@dataclass(frozen=True, slots=True)
class Stage:
    """The queries of a level over one schema: all, or those without operators that the rule's class doesn't name, or
    the others.
    """

    level: Level
    schema: Schema
    part: Part = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """The bound of one verification.

    :param rows: the most rows of a table.
    :param values: the values beside NULL of a whole number or a text.
    :param tables: the most tables that a query reads; three have one column each, fewer have two.
    :param operators: the most operators of a query.
    :param pairs: the most pairs of plans; once there are as many, no more queries are enumerated.
    :param seconds: the time for one rule.
    """

    rows: int = 2
    values: int = VALUES
    tables: int = 3
    operators: int = 3
    pairs: int = PAIRS
    seconds: float = SECONDS

    @property
    def layouts(self) -> list[Settings]:
        """The ways to lay out the tables: one partition, and a partition for each row of a table."""
        apart = Settings(partitions=self.rows, table_partitions=self.rows)
        return [Settings(), *([apart] if self.rows > 1 else [])]

    def stages(self, named: Collection[str] = (), types: Collection[SqlType] = ()) -> Iterator[Stage]:
        """The stages in order: each level over whole numbers, and some levels later over each other type.

        :param named: the operators that the rule's class names, if any. Queries with these alone come first, too.
        :param types: the types that the rule is about, if any. They come together with whole numbers, before these.
        """
        two = min(self.tables, 2)
        own = [Schema((kind,), two) for kind in OTHER_TYPES if kind in types]
        own += [Schema((INT, INT), two), *([Schema((INT,), 3)] if self.tables > 2 else [])]
        others = [Schema((kind,), two) for kind in OTHER_TYPES if kind not in types]
        levels = [level for level in (NAMED_ORDER if named else LEVELS) if level.operators <= self.operators]
        first: Part = "named" if named else "all"
        later = _LATER_THAN_NAMED if named else _LATER
        for place in range(len(levels) + later):
            yield from (Stage(level, schema, first) for level in levels[place : place + 1] for schema in own)
            if place >= later:
                level = levels[place - later]
                yield from (Stage(level, schema) for schema in others)
                yield from (Stage(level, schema, "others") for schema in own if named)


def parse_bound(option: str, text: str) -> Bound:
    """The bound of ``rows=2,operators=3``: what isn't named keeps its default; BadInput for anything else."""
    found: dict[str, int] = {}
    for part in text.split(","):
        name, _, number = part.strip().partition("=")
        most = _MOST.get(name)
        if most is None or not number.isdecimal() or not 1 <= int(number) <= most or name in found:
            known = ", ".join(f"{name} from 1 to {most}" for name, most in _MOST.items())
            raise BadInput(f"{option} {text}: needs NAME=N, separated by commas: {known}")
        found[name] = int(number)
    bound = replace(Bound(), **found)
    if (bound.rows, bound.values) == (3, 4):
        raise BadInput(f"{option} {text}: tables of 3 rows with 4 values are too many to enumerate")
    return bound
