"""OptimizeExpand: aggregates of several sets of distinct values need each combination of keys and values only once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.operands import columns
from strategies.draw.planner_conf import GROUPS
from strategies.draw.scopes import scope
from strategies.ir import (
    INT,
    SMALLINT,
    Agg,
    AggFunction,
    Aggregate,
    Arith,
    Case,
    Coalesce,
    Col,
    Column,
    Compare,
    Database,
    Expr,
    Filter,
    IsNull,
    Item,
    Lit,
    Project,
    Relation,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.filters import about
from strategies.shapes.forms import Question, file_cases, over_fixed, over_tables
from strategies.shapes.groups import one_table, without_rows
from strategies.shapes.sides import scan

RULE = "OptimizeExpand"
CONF = GROUPS["expanded in two steps"].conf
"""The rule on, for two sets of values and more."""
NEEDS = {"conf": CONF}
_SUMMED: tuple[AggFunction, ...] = ("count", "sum", "avg")
"""Functions that keep their DISTINCT: of max, min, every and some it is dropped before."""


def _cases_of(questions: SearchStrategy[Question], needs: Mapping[str, Any] = NEEDS) -> SearchStrategy[Case]:
    return file_cases(questions, needs=needs)


def _once(draw: DrawFn, value: Expr) -> Agg:
    """A count of different values, or a sum or an average of what can't overflow."""
    named: tuple[AggFunction, ...] = _SUMMED if value.type in (SMALLINT, INT) else ("count",)
    return Agg(pick(draw, named), value, True)


def _values(draw: DrawFn, known: Sequence[Col]) -> list[Expr]:
    """Two or three values that read no more columns than they are: each column of itself alone."""
    one = pick(draw, known)
    others = [column for column in known if column != one]
    second = IsNull(one) if not others or one_in(draw, 4) else pick(draw, others)
    third = [column for column in others if column != second]
    return [one, second, *([pick(draw, third)] if third and one_in(draw, 3) else [])]


def _grouped(child: Relation, keys: Sequence[Expr], functions: Sequence[Agg]) -> Aggregate:
    return Aggregate(
        child,
        tuple(Item(f"k{place}", key) for place, key in enumerate(keys)),
        tuple(Item(f"n{place}", function) for place, function in enumerate(functions)),
    )


def _total(groups: Aggregate) -> Relation:
    """The sum of all counts: none of them can be pruned by an operator above."""
    counts: list[Expr] = [field.column() for field in scope(groups.fields)]
    return Project(groups, (Item("s", reduce(partial(Arith, "+"), counts)),))


def _query(draw: DrawFn, schema: Database) -> Relation:
    base: Relation = scan(pick(draw, schema.tables))
    fields = scope(base.fields)
    if one_in(draw, 4):
        base = Filter(base, about(draw, fields))
    known = columns(fields)
    values = _values(draw, known)
    if one_in(draw, 2):
        counts = [Agg("count", value, True) for value in values]
        return in_context(draw, schema, _total(_grouped(base, (), counts)), reads=True)
    keys: list[Expr] = [pick(draw, known) for _ in range(pick(draw, (0, 1, 1, 2)))]
    if keys and one_in(draw, 4):
        keys[0] = IsNull(keys[0])
    pair = [Agg("count", values[0], True, others=(values[1],))] if one_in(draw, 4) else []
    return _grouped(base, keys, [*[_once(draw, value) for value in values], *pair])


def fires() -> SearchStrategy[Case]:
    """Counts, sums and averages of two or three sets of values, each value once, by groups or of all rows; shrinks to
    ``SELECT count(DISTINCT a) AS n0, count(DISTINCT a IS NULL) AS n1 FROM t0``.
    """
    return _cases_of(over_tables(_query))


# Near misses, over a table of three columns.

_TABLES, _TABLE = one_table(Column("a", INT), Column("b", INT), Column("c", INT))
_A, _B, _C = Col("a", INT), Col("b", INT), Col("c", INT)
_NOTHING = without_rows(_TABLES.tables[0])
_COUNT_A, _COUNT_B, _COUNT_C = (Agg("count", column, True) for column in (_A, _B, _C))
_COUNT_EITHER = Agg("count", Coalesce((_A, _B)), True)
_OF_THREE_VALUES = tuple((key, "3") for key, _ in CONF)


def _by(*functions: Agg, child: Relation = _TABLE) -> Callable[[DrawFn], Relation]:
    """These functions of ``child``, of all rows or by groups."""
    return lambda draw: _grouped(child, pick(draw, ((), (_C,), (_A,), (_C, _B))), functions)


def _two_sums(draw: DrawFn) -> Relation:
    return _by(_once(draw, _A), _once(draw, _B))(draw)


def _beside_others(draw: DrawFn) -> Relation:
    """Counts and sums of all rows, repeats included; not ``count(*)``, which is a known bug (SPARK-58387)."""
    others = (Agg("count", _B), Agg("sum", _A), Agg("sum", _C), Agg("count", _C))
    return _by(_COUNT_A, _COUNT_B, pick(draw, others))(draw)


def _filtered(draw: DrawFn) -> Relation:
    """Values that count if a row with them fulfils a condition on another column."""
    condition = pick(draw, (Compare(pick(draw, ("=", "<>", "<", ">=")), _C, Lit(INT, 0)), IsNull(_C)))
    functions = replace(_COUNT_A, where=condition), pick(draw, (_COUNT_B, replace(_COUNT_B, where=condition)))
    return _grouped(_TABLE, pick(draw, ((), (_A,), (_B,))), functions)


def _more_columns(draw: DrawFn) -> Relation:
    """More columns than values, in either order: their combinations are hardly fewer than the rows."""
    return _grouped(_TABLE, (), pick(draw, ((_COUNT_EITHER, _COUNT_C), (_COUNT_C, _COUNT_EITHER))))


def _of_groups(draw: DrawFn) -> Relation:
    """Rows that an aggregate makes: the rule has been there, or is not needed."""
    sizes = _grouped(_TABLE, (pick(draw, (_A, _B)),), (Agg("count", _C), Agg("sum", _C)))
    functions = [Agg("count", field.column(), True) for field in scope(sizes.fields)[1:]]
    return _grouped(sizes, (), functions)


def _miss(
    name: str,
    build: Callable[[DrawFn], Relation],
    *,
    fires: bool,
    weight: int = 1,
    needs: Mapping[str, Any] = NEEDS,
) -> NearMiss:
    return NearMiss(name, lambda: _cases_of(over_fixed(_TABLES, build), needs), fires=fires, weight=weight)


NEAR_MISSES = (
    _miss("two_sets", _two_sums, fires=True, weight=3),
    _miss("pair_and_column", _by(Agg("count", _A, True, others=(_B,)), _COUNT_A), fires=True),
    _miss("as_many_columns", _by(_COUNT_EITHER, _COUNT_B), fires=True, weight=2),
    _miss("of_nothing", _by(_COUNT_A, _COUNT_B, child=_NOTHING), fires=True),
    _miss("beside_others", _beside_others, fires=False, weight=3),
    _miss("filtered", _filtered, fires=False, weight=3),
    _miss("more_columns", _more_columns, fires=False),
    _miss("one_set", _by(_COUNT_A, Agg("sum", _A, True)), fires=False),
    _miss("greatest_value", _by(_COUNT_A, Agg("max", _B, True)), fires=False),
    _miss("of_groups", _of_groups, fires=False),
    _miss("fewer_sets", _two_sums, fires=False, needs={"conf": _OF_THREE_VALUES}),
)
