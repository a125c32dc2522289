"""Remove rows from all tables together."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial
from itertools import combinations

from oracles.reductions.search import Edit, Search, leave_out, sweep
from strategies.ir import Case, Database

_FEW = 6
"""Up to this number of rows, every pair is tried; with more rows, only pairs of equal rows, as there are too many."""

Place = tuple[int, int]
"""A row by the positions of its table and of itself."""


def rows(case: Case) -> Search:
    """Remove runs of rows, single rows, then pairs of rows, one of which may be needed only as long as the other stays.

    Equal rows of all tables are adjacent in a run, because set operators and joins need them together.
    """
    places = sorted(_places(case), key=lambda place: (repr(_row(case, place)), place))

    kept = yield from leave_out(places, partial(_keep, case))
    yield from sweep(_keep(case, kept), _pairs)


def _pairs(case: Case) -> Iterator[Edit]:
    places = _places(case)
    equal = [pair for pair in combinations(places, 2) if _row(case, pair[0]) == _row(case, pair[1])]
    others = [pair for pair in combinations(places, 2) if pair not in equal] if len(places) <= _FEW else []
    copies = {repr(_row(case, place)): [p for p in places if _row(case, p) == _row(case, place)] for place in places}
    for gone in (*copies.values(), *equal, *others):
        yield _keep, (case, [place for place in places if place not in gone])


def _places(case: Case) -> list[Place]:
    return [(at, index) for at, table in enumerate(case.database.tables) for index in range(len(table.rows))]


def _row(case: Case, place: Place) -> tuple[object, ...]:
    return case.database.tables[place[0]].rows[place[1]]


def _keep(case: Case, kept: Collection[Place]) -> Case:
    tables = (
        replace(table, rows=tuple(row for index, row in enumerate(table.rows) if (at, index) in kept))
        for at, table in enumerate(case.database.tables)
    )
    return replace(case, database=Database(tuple(tables)))
