"""Shape of PartitionPruning: a table whose splits can be left out at run time, joined by its key with filtered rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.joins import join_conditions
from strategies.draw.planner_conf import GROUPS
from strategies.draw.scopes import fresh_alias, scope
from strategies.draw.tables import schemas
from strategies.ir import (
    BOOLEAN,
    COMPARE_OPS,
    INT,
    Alias,
    And,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Expr,
    Filter,
    Join,
    JoinKind,
    Or,
    Relation,
    Scan,
    Table,
    from_fields,
    is_plain,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import joined_in_context
from strategies.shapes.data import PAIRS, scans_of
from strategies.shapes.forms import Build, Question, file_cases, over_fixed
from strategies.shapes.nulls import known_literal
from strategies.shapes.sides import scan
from strategies.shapes.v2 import always, v2_cases

RULE = "PartitionPruning"
CONF = GROUPS["partitions pruned at run time"].conf
"""Pruning whatever it may cost, also where no broadcast can be used again."""


def pruned_cases(questions: SearchStrategy[Question]) -> SearchStrategy[Case]:
    """Cases over tables of which Spark can leave out splits by the values of the first column."""
    return v2_cases(questions, always("identity", "runtime filters"), conf=CONF)


def _comparable(table: Table) -> Table:
    """``table`` with INT for each type whose comparisons the rule doesn't take for selective, or that is no key."""
    columns = (
        column if is_plain(column.type) and column.type != BOOLEAN else Column(column.name, INT)
        for column in table.columns
    )
    return replace(table, columns=tuple(columns))


def compared(draw: DrawFn, column: Col) -> Compare:
    """A condition on ``column`` that the rule takes for selective."""
    return Compare(pick(draw, COMPARE_OPS), column, known_literal(draw, column.type))


def selective(draw: DrawFn, relation: Scan, name: str) -> Alias:
    """``relation`` under a condition that the rule takes for selective, as ``name``."""
    return Alias(Filter(relation, compared(draw, pick(draw, scope(relation.fields)).column())), name)


_KINDS: tuple[tuple[JoinKind, bool], ...] = (
    ("inner", False),
    ("semi", False),
    ("right", False),
    ("inner", True),
    ("left", True),
    ("semi", True),
)
"""Kinds of joins, and whether the right side is the one that is pruned, by values of the left."""


def _query(draw: DrawFn, schema: Database) -> Relation:
    table = pick(draw, schema.tables)
    pruned, key = scan(table), table.columns[0].type
    others = [other for other in schema.tables if any(column.type == key for column in other.columns)]
    filtered = selective(draw, scan(pick(draw, others)), fresh_alias(pruned))
    kind, on_the_right = pick(draw, _KINDS)
    met = pick(draw, tuple(field for field in filtered.fields if field.type == key))
    left, right = (filtered, pruned) if on_the_right else (pruned, filtered)
    condition: Expr = Compare("=", from_fields(pruned)[0].column(), met.column())
    if one_in(draw, 4):
        condition = And(condition, draw(join_conditions(left, right)))
    return joined_in_context(draw, schema, Join(left, right, kind, condition), len(left.fields))


@st.composite
def over_comparable_tables(draw: DrawFn, build: Build[[]]) -> Question:
    """Drawn tables whose columns the rule takes for keys, and the query that ``build(draw, …)`` draws over them."""
    schema = Database(tuple(map(_comparable, draw(schemas()).tables)))
    return schema, build(draw, schema)


def fires() -> SearchStrategy[Case]:
    """A join of which one side's rows have to be among the keys of the other's, which are filtered; shrinks to
    ``t0 JOIN (SELECT * FROM t0 WHERE a = 0) AS s0 ON t0.a = s0.a``.
    """
    return pruned_cases(over_comparable_tables(_query))


# Near misses, over two tables of two columns.

_ONE, _OTHER = scans_of(PAIRS)
_A, _B = (Col(name, INT, "t0") for name in "ab")
_C, _D = (Col(name, INT, "s0") for name in "ab")
_MET = Compare("=", _A, _C)


def _miss(
    name: str,
    kind: JoinKind,
    *conditions: Expr,
    fires: bool,
    weight: int = 1,
    filtered: bool = True,
    cases_of: Callable[[SearchStrategy[Question]], SearchStrategy[Case]] = pruned_cases,
) -> NearMiss:
    def build(draw: DrawFn) -> Relation:
        condition = pick(draw, conditions)
        other = selective(draw, _OTHER, "s0") if filtered else Alias(_OTHER, "s0")
        return Join(_ONE, other, kind, condition)

    return NearMiss(name, lambda: cases_of(over_fixed(PAIRS, build)), fires=fires, weight=weight)


_TWO_KEYS = (
    And(_MET, Compare("=", _B, _D)),
    And(Compare("=", _A, _D), Compare("=", _B, _C)),
    And(Compare("=", _B, _D), _MET),
)

NEAR_MISSES = (
    _miss("by_two_keys", "inner", *_TWO_KEYS, fires=True, weight=3),
    _miss("by_either_column", "semi", _MET, Compare("=", _A, _D), fires=True, weight=2),
    _miss("of_the_padded_side", "right", _MET, *_TWO_KEYS, fires=True, weight=2),
    _miss("of_the_kept_side", "left", _MET, *_TWO_KEYS, fires=False, weight=2),
    _miss("kept_where_none_meets", "anti", _MET, *_TWO_KEYS, fires=False, weight=2),
    _miss("of_both_kept_sides", "full", _MET, fires=False, weight=2),
    _miss("by_another_column", "inner", Compare("=", _B, _D), fires=False),
    _miss("null_is_a_key", "inner", Compare("<=>", _A, _C), fires=False),
    _miss("by_either_key", "inner", Or(_MET, Compare("=", _B, _D)), fires=False),
    _miss("not_filtered", "inner", _MET, fires=False, filtered=False),
    _miss("in_files", "inner", _MET, fires=False, cases_of=file_cases),
)
