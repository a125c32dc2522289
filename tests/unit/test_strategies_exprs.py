"""Expressions and predicates: typed, guarded, all nodes reached, small in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import get_args

import pytest
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import SearchStrategy

import strategies.ir
from oracles.answers.outcome import Outcome, Raised
from oracles.engines.duckdb import DuckdbEngine
from strategies.draw.constants import CONSTANTS
from strategies.draw.draws import without_mutation
from strategies.draw.exprs import any_expressions, expressions, kinds, predicates
from strategies.draw.operands import calls_by_name, own_types
from strategies.draw.values import COLUMN_TYPES
from strategies.ir import (
    ARITH_OPS,
    BIGINT,
    BOOLEAN,
    COMPARE_OPS,
    DATE,
    DOUBLE,
    FUNCTIONS,
    INT,
    SMALLINT,
    STRING,
    TIMESTAMP,
    UNDRAWN,
    And,
    Arith,
    Between,
    Call,
    CaseWhen,
    Cast,
    Col,
    Compare,
    Database,
    Expr,
    Field,
    InList,
    Item,
    Lit,
    Node,
    Outer,
    Project,
    Raising,
    SqlType,
    Subquery,
    Table,
    init_fields,
    type_text,
    walk,
)
from tests.unit.hostile_fields import EVERYTHING, FIELDS, TABLE, TYPES, extremes, is_guarded, reads_back
from tests.unit.strategy_asserts import assert_all_examples, drawn, find_any, least_of, minimal

A, B, D = Field("a", INT), Field("b", INT), Field("d", DOUBLE)
COL_A, ZERO = Col("a", INT), Lit(INT, 0)
OVERFLOWS = ("OutOfRangeException", "ConversionException")

EXPRESSION_NODES = sorted(
    name
    for name, kind in vars(strategies.ir).items()
    if isinstance(kind, type)
    and issubclass(kind, Expr)
    and not issubclass(kind, (Subquery, Outer, *get_args(Raising)))
    and kind is not Expr
)
"""Subqueries and what they hold need a schema: tests/unit/test_frequencies_subqueries.py counts these. Nodes that may
raise are put into a finished query: tests/unit/test_strategies_queries.py counts it.
"""

SCOPES = (FIELDS, *((field,) for field in FIELDS))
ASKED = [expressions(fields, kind, depth=3) for fields in SCOPES for kind in kinds(fields)]
ANY_TYPE = st.sampled_from((*ASKED, *[predicates(FIELDS, depth=3)] * 60)).flatmap(lambda strategy: strategy)


@pytest.fixture(scope="module")
def sample() -> list[Node]:
    """Expressions of all types, enough for each node to be among them."""
    return drawn(without_mutation(ANY_TYPE), count=2_000)


@pytest.fixture(scope="module")
def tops() -> list[str]:
    """The kinds of the outermost nodes of expressions of any kind."""
    return [type(found).__name__ for found in drawn(without_mutation(any_expressions(FIELDS)), count=1_500)]


def parts(nodes: Iterable[Node]) -> Iterator[Node]:
    """All nodes of all trees."""
    return (part for node in nodes for part in walk(node))


# Promise.


@pytest.mark.parametrize("kind", COLUMN_TYPES, ids=type_text)
def test_expressions_are_of_their_type(kind: SqlType) -> None:
    assert_all_examples(expressions(FIELDS, kind), lambda found: found.type == kind, count=40)


@pytest.mark.parametrize("strategy", [predicates(FIELDS), ANY_TYPE], ids=["predicates", "expressions"])
def test_what_is_drawn_reads_back(strategy: SearchStrategy[Node]) -> None:
    assert_all_examples(strategy, reads_back)


def test_expressions_of_any_kind_read_back() -> None:
    assert_all_examples(any_expressions(FIELDS), reads_back)


INSIDE = ("Collate", "Element", "MakeMap")
"""Nodes that only others have: a text that is compared under a collation, the variable of a function of elements, and
a map that is read at once.
"""


@pytest.mark.parametrize("name", [name for name in EXPRESSION_NODES if name not in INSIDE])
def test_expressions_of_any_kind_have_each_kind_of_node_on_top_often(name: str, tops: list[str]) -> None:
    assert tops.count(name) >= 0.01 * len(tops)  # of columns there are only so many, and Hypothesis draws none twice


def test_expressions_of_any_kind_shrink_to_a_column_and_over_nothing_to_a_literal() -> None:
    assert minimal(any_expressions((A, B))) == COL_A
    assert minimal(any_expressions(())) == ZERO


@pytest.mark.parametrize("depth", [0, 5])
def test_expressions_of_any_kind_have_a_depth(depth: int) -> None:
    with pytest.raises(InvalidArgument):
        any_expressions(FIELDS, depth=depth)


def test_predicates_are_boolean() -> None:
    assert_all_examples(predicates(FIELDS), lambda found: found.type == BOOLEAN)


def test_predicates_over_nothing_are_literals() -> None:
    assert_all_examples(predicates(()), lambda found: isinstance(found, Lit))


def test_ambiguous_fields_are_left_out() -> None:
    twice = (A, A, B)
    assert_all_examples(predicates(twice), lambda found: COL_A not in walk(found))


def test_everything_that_could_raise_is_guarded(sample: list[Node]) -> None:
    assert [node for node in sample if not is_guarded(node)] == []


@pytest.mark.parametrize(
    "bare",
    [
        Arith("+", Col("a", BIGINT), Col("b", BIGINT)),
        Arith("*", Cast(Col("a", SMALLINT), INT), COL_A),
        Call("date_add", (Col("a", DATE), Lit(INT, 1))),
    ],
    ids=["sum of BIGINT", "one side widened", "date_add"],
)
def test_the_check_for_guards_sees_where_one_is_missing(bare: Expr) -> None:
    assert not is_guarded(bare)


def answer(engine: DuckdbEngine, expression: Expr) -> Outcome:
    """The values of ``expression`` over the extremes, computed as they are written."""
    query = Project(TABLE, (Item("a", expression),))
    return engine.run(query, Database((Table("t0", EVERYTHING, extremes()),)), optimize=False)


def test_no_value_overflows(sample: list[Node]) -> None:
    with DuckdbEngine() as engine:
        answers = {node: answer(engine, node) for node in sample[:500] if isinstance(node, Expr)}
    assert [node for node, found in answers.items() if isinstance(found, Raised) and found.condition in OVERFLOWS] == []


@pytest.mark.parametrize("depth", [-1, 5])
@pytest.mark.parametrize(
    "strategy",
    [
        lambda depth: predicates(FIELDS, depth=depth),
        lambda depth: expressions(FIELDS, INT, depth=depth),
    ],
    ids=["predicates", "expressions"],
)
def test_an_impossible_depth_is_refused(strategy: Callable[[int], object], depth: int) -> None:
    with pytest.raises(InvalidArgument, match=f"depth={depth} must be in 0..4"):
        strategy(depth)


def test_kinds_are_those_of_columns_and_what_a_function_makes_of_them() -> None:
    assert set(kinds((Field("s", STRING),))) >= {STRING, INT, BOOLEAN}
    assert TIMESTAMP not in kinds((Field("s", STRING),))
    assert kinds(()) == (INT,)


# Reach.


@pytest.mark.parametrize("name", EXPRESSION_NODES)
def test_expressions_reach_every_node(name: str, sample: list[Node]) -> None:
    assert any(type(part).__name__ == name for part in parts(sample))


DRAWN = [name for name in FUNCTIONS if name not in UNDRAWN]


@pytest.mark.parametrize("name", DRAWN)
def test_expressions_reach_every_function(name: str) -> None:
    signature = FUNCTIONS[name]
    kind = next(filter(signature.over, TYPES))
    fields = tuple(Field(f"x{place}", each) for place, each in enumerate(signature.types(kind)))
    result = signature.gives(kind, *(options[0] for options in CONSTANTS.get(name, ())))
    assert find_any(
        expressions(fields, result),
        lambda found: any(isinstance(part, Call) and part.function == name for part in walk(found)),
    )


def test_functions_are_called_by_name_each_once() -> None:
    assert [uses[0][0] for uses in calls_by_name(own_types(FIELDS))] == DRAWN
    assert all(len({name for name, *_ in uses}) == 1 for uses in calls_by_name(own_types(FIELDS)))


def test_of_many_functions_of_one_type_none_is_rare() -> None:
    texts = (Field("s", STRING),)
    tops = drawn(without_mutation(any_expressions(texts)), count=4_000)
    called = Counter(found.function for found in tops if isinstance(found, Call))
    named = [uses[0][0] for uses in calls_by_name(own_types(texts))]
    assert len(named) > 60
    assert [name for name in named if not called[name]] == []


@pytest.mark.parametrize("op", COMPARE_OPS)
def test_expressions_reach_every_comparison(op: str, sample: list[Node]) -> None:
    assert any(isinstance(part, Compare) and part.op == op for part in parts(sample))


@pytest.mark.parametrize("op", ARITH_OPS)
@pytest.mark.parametrize("kind", [INT, BIGINT, DOUBLE], ids=type_text)
def test_expressions_reach_every_operator(kind: SqlType, op: str, sample: list[Node]) -> None:
    assert any(isinstance(part, Arith) and (part.op, part.type) == (op, kind) for part in parts(sample))


@pytest.mark.parametrize(
    "holds",
    [
        lambda part: isinstance(part, InList) and Lit(part.operand.type, None) in part.items,
        lambda part: isinstance(part, InList) and part.negated,
        lambda part: isinstance(part, Between) and part.negated,
        lambda part: isinstance(part, CaseWhen) and part.otherwise is None,
        lambda part: isinstance(part, CaseWhen) and len(part.branches) > 1,
        lambda part: isinstance(part, Compare) and isinstance(part.left, Col) and isinstance(part.right, Col),
        lambda part: isinstance(part, Compare) and part.left.type != part.right.type,
        lambda part: isinstance(part, Compare) and isinstance(part.left, Call),
        lambda part: isinstance(part, Compare) and isinstance(part.left, Cast) and part.right == Lit(BIGINT, 2**31),
        lambda part: part == Lit(DOUBLE, "nan"),
        lambda part: part == Lit(BOOLEAN, None),
        lambda part: isinstance(part, And) and isinstance(part.left, And),
    ],
    ids=[
        "IN with NULL",
        "NOT IN",
        "NOT BETWEEN",
        "no ELSE",
        "two branches",
        "two columns",
        "mixed types",
        "computed",
        "a number beyond the narrower type",
        "NaN",
        "NULL of BOOLEAN",
        "nested AND",
    ],
)
def test_expressions_reach(holds: Callable[[Node], bool], sample: list[Node]) -> None:
    assert any(map(holds, parts(sample)))


# Minimum.


@pytest.mark.parametrize(
    ("strategy", "holds", "least"),
    [
        (predicates((A, B)), lambda _: True, Compare("=", COL_A, ZERO)),
        (
            predicates((A,)),
            lambda found: isinstance(found, Compare) and found.op == "<=>",
            Compare("<=>", COL_A, ZERO),
        ),
        (
            predicates((A, B)),
            lambda found: isinstance(found, Compare) and found.right == Col("b", INT),
            Compare("=", COL_A, Col("b", INT)),
        ),
        (expressions((A, B), INT), lambda _: True, COL_A),
        (expressions((D,), INT), lambda _: True, ZERO),
        (expressions((A,), BIGINT), lambda _: True, Cast(COL_A, BIGINT)),
        (expressions((Field("s", STRING),), DATE), lambda _: True, Lit(DATE, "1970-01-01")),
    ],
    ids=["predicate", "<=>", "second column", "column", "literal", "cast", "date"],
)
def test_shrinks_to(strategy: SearchStrategy[Node], holds: Callable[[Node], bool], least: Node) -> None:
    assert minimal(strategy, holds) == least


def size(node: Node) -> int:
    """Number of nodes."""
    return sum(1 for _ in walk(node))


@pytest.mark.parametrize(
    ("name", "nodes"),
    [
        ("And", 7),
        ("Or", 7),
        ("Not", 4),
        ("IsNull", 2),
        ("InList", 5),
        ("Between", 5),
        ("Coalesce", 7),
        ("CaseWhen", 10),
    ],
)
def test_a_predicate_with_a_node_shrinks_to_little_else(name: str, nodes: int) -> None:
    def has_one(found: Expr) -> bool:
        return any(type(part).__name__ == name for part in walk(found))

    assert least_of(predicates((A, B)), has_one, size, enough=nodes) <= nodes


def test_equal_nodes_have_equal_fields(sample: list[Node]) -> None:
    """Caches by fields rely on this: nothing but the constructor's arguments makes a node."""
    assert all(type(node)(**init_fields(node)) == node for node in sample[:200])
