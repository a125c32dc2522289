"""Queries of a rule's shape over small databases: for the rules that no query of the grammar reaches.

The grammar has no user-defined functions, writes, typed Datasets and sources. A rule that is about those has a shape,
whose queries are drawn, and run smallest first. Their tables have columns of any type, so that a sample of the small
databases is run, evenly spread from the smallest to the largest. None of this is a bound that was reached.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, islice, product

from hypothesis.strategies import SearchStrategy

from assay.fuzz.drawing import distinct_cases
from assay.verify.sweeps import spread
from oracles.reductions.size import size
from strategies.ir import Case, Database, Lit, Row, SqlType, Table, Value, walk

DRAWN = 120
"""The cases that are drawn of a shape."""
DATABASES = 60
"""The databases that the plans of one query are run over, if the driver runs them."""
BY_JOBS = 4
"""Those of a query whose plans need jobs."""
_VALUES = 3
"""The values beside NULL of a column."""
_ROWS = 40
"""The most different rows of a table: those with fewer columns that differ from the first row come first."""


@dataclass(slots=True)
class Shaped:
    """The queries of a rule's shape: how many were planned, on how many it fired, and over how many databases all legs
    were compared; whether one of them refuted the rule.
    """

    queries: int = 0
    fired: int = 0
    databases: int = 0
    refuted: bool = False

    def line(self) -> str:
        """The numbers as a note below a verdict."""
        return (
            f"beyond the grammar: fired on {self.fired:,} of {self.queries:,} queries that its shape drew, "
            f"{self.databases:,} times compared over one of their small databases"
        )


def smallest_first(cases: SearchStrategy[Case], *, count: int = DRAWN) -> list[Case]:
    """Distinct cases among ``count`` draws and a few more, the same each time, the smallest first."""
    return sorted(distinct_cases(cases, count, of_seed=0).values(), key=size)


def small_databases(case: Case, *, rows: int, most: int) -> list[Database]:
    """Databases of the tables of ``case``, of at most ``rows`` rows a table: at most ``most``, from one without rows to
    the one with the most, evenly spread. A column's values are NULL, constants of the query, and values of its table.
    """
    tables = case.database.tables
    constants = _constants(case)
    versions = [_versions(table, constants, rows) for table in tables]
    each = int(_CHOICES ** (1 / max(len(tables), 1)))
    choices = sorted(product(*(spread(found, each) for found in versions)), key=_in_all)
    return [Database(tuple(map(_filled, tables, choice))) for choice in spread(choices, most)]


_CHOICES = 10_000
"""The most databases among which those that are run are chosen."""


def _filled(table: Table, rows: tuple[Row, ...]) -> Table:
    return replace(table, rows=rows)


def _in_all(choice: Sequence[tuple[Row, ...]]) -> int:
    return sum(map(len, choice))


def _constants(case: Case) -> Mapping[SqlType, Sequence[Value]]:
    found: dict[SqlType, dict[Value, None]] = {}
    for node in walk(case.query):
        if isinstance(node, Lit) and node.value is not None:
            found.setdefault(node.type, {})[node.value] = None
    return {kind: tuple(values) for kind, values in found.items()}


def _versions(table: Table, constants: Mapping[SqlType, Sequence[Value]], rows: int) -> list[tuple[Row, ...]]:
    """The bags of at most ``rows`` of the first rows, smaller ones first."""
    domains = [_domain(table, place, constants) for place in range(len(table.columns))]
    several = list(islice(_rows(domains), _ROWS))
    return [bag for count in range(rows + 1) for bag in combinations_with_replacement(several, count)]


def _domain(table: Table, place: int, constants: Mapping[SqlType, Sequence[Value]]) -> list[Value]:
    """Values of the table and constants of the query, in turn, and NULL last."""
    of_query = list(constants.get(table.columns[place].type, ()))
    of_table = [row[place] for row in table.rows if row[place] is not None]
    mixed = [value for pair in zip(of_table, of_query, strict=False) for value in pair]
    values = dict.fromkeys([*mixed, *of_table[len(of_query) :], *of_query[len(of_table) :]])
    return [*list(values)[:_VALUES], None]


def _rows(domains: Sequence[Sequence[Value]]) -> Iterator[Row]:
    """The rows over ``domains``, by the number of columns whose value is not the first one."""
    for apart in range(len(domains) + 1):
        for row in product(*(range(len(domain)) for domain in domains)):
            if sum(place > 0 for place in row) == apart:
                yield tuple(domain[place] for domain, place in zip(domains, row, strict=True))
