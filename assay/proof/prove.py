"""Prove that two optimized plans have the same rows over all tables of up to so many rows, whatever the values are."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import z3

from assay.proof.algebra import Kind, NotEncodable, Plan, output, tables
from assay.proof.cells import Cell, both, lifted
from assay.proof.reading import read_plan
from assay.proof.rows import Encoder, Row, differ

Contents = Mapping[str, tuple[tuple[int | bool | None, ...], ...]]
"""The rows of each table, by its name."""
_LEAST, _GREATEST = -(2**31), 2**31 - 1


@dataclass(frozen=True, slots=True)
class Proven:
    """The plans have the same rows over all tables of up to ``rows`` rows."""

    rows: int


@dataclass(frozen=True, slots=True)
class Refuted:
    """The plans have other rows over ``database``, the tables that they read."""

    database: Contents


@dataclass(frozen=True, slots=True)
class Outside:
    """The plans can't be put to the solver, for the reason ``why``."""

    why: str


@dataclass(frozen=True, slots=True)
class Undecided:
    """The solver did not answer in time."""


Verdict = Proven | Refuted | Outside | Undecided


def prove(on: str, off: str, *, rows: int, seconds: float) -> Verdict:
    """Put two plans, as the jar's JSON, to the solver, over tables of up to ``rows`` rows.

    Tables of fewer rows come first, so that a refutation has as few as it takes.
    """
    try:
        plans = read_plan(on), read_plan(off)
        verdict: Verdict = Undecided()
        end = time.monotonic() + seconds
        for most in range(1, rows + 1):
            verdict = proved(*plans, rows=most, seconds=end - time.monotonic())
            if not isinstance(verdict, Proven):
                break
    except NotEncodable as reason:
        return Outside(str(reason))
    return verdict


def proved(on: Plan, off: Plan, *, rows: int, seconds: float) -> Verdict:
    """Put two plans to the solver.

    :raises NotEncodable: they can't be put to it.
    """
    if len(output(on)) != len(output(off)):
        raise NotEncodable("plans with different columns")
    scans = {table.name: table for table in (*tables(on), *tables(off))}
    given = {name: symbolic(name, table.kinds, rows) for name, table in scans.items()}
    encoder = Encoder(given)
    different = differ(encoder.rows(on), encoder.rows(off))
    end = time.monotonic() + seconds
    solver = z3.Solver()
    solver.set("timeout", _millis(seconds))
    for each in given.values():
        solver.add(*map(lifted, _shape(each)))
    if encoder.broken:
        solver.push()
        solver.add(z3.Or([lifted(flag) for flag in encoder.broken]))
        broken = solver.check()
        if broken == z3.unknown:
            return Undecided()
        if broken == z3.sat:
            raise NotEncodable("a column declared without NULL that may have one")
        solver.pop()
        solver.set("timeout", _millis(end - time.monotonic()))
    solver.add(lifted(different))
    found = solver.check()
    if found == z3.unknown:
        return Undecided()
    return Proven(rows) if found == z3.unsat else Refuted(_database(solver.model(), given))


def _millis(seconds: float) -> int:
    return max(1, int(seconds * 1000))


def symbolic(name: str, kinds: tuple[Kind, ...], rows: int) -> list[Row]:
    """A table of up to ``rows`` rows of any values."""
    return [
        Row(
            z3.Bool(f"{name}.{place}"),
            tuple(_cell(f"{name}.{place}.{column}", kind) for column, kind in enumerate(kinds)),
        )
        for place in range(rows)
    ]


def _cell(name: str, kind: Kind) -> Cell:
    if kind == "null":
        return Cell(True, 0)
    return Cell(z3.Bool(f"{name}.null"), z3.Bool(name) if kind == "boolean" else z3.Int(name))


def _shape(rows: list[Row]) -> list[object]:
    """Numbers are of 32 bits; the rows that are there come first: a bag has no order."""
    numbers = [cell.value for row in rows for cell in row.cells if isinstance(cell.value, z3.ArithRef)]
    inside = [both(number >= _LEAST, number <= _GREATEST) for number in numbers]
    return [*inside, *(z3.Implies(later.present, row.present) for row, later in pairwise(rows))]


def _database(model: z3.ModelRef, given: Mapping[str, list[Row]]) -> Contents:
    def value(cell: Cell) -> int | bool | None:
        if z3.is_true(model.eval(lifted(cell.null), model_completion=True)):
            return None
        found = model.eval(lifted(cell.value), model_completion=True)
        return bool(z3.is_true(found)) if z3.is_bool(found) else int(found.as_long())

    return {
        name: tuple(
            tuple(map(value, row.cells)) for row in rows if z3.is_true(model.eval(row.present, model_completion=True))
        )
        for name, rows in given.items()
    }
