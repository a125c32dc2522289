"""Expressions, predicates and aggregates: typed, guarded, all nodes reached, small in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest

import pytest
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import SearchStrategy

import strategies.ir
from oracles.engines.duckdb import DuckdbEngine
from oracles.outcome import Outcome, Raised, Rows
from oracles.rows import same
from strategies.aggregates import aggregates
from strategies.draws import each_afresh
from strategies.exactness import Bits, expression_bits, field_bits
from strategies.exprs import expressions, kinds, predicates
from strategies.ir import (
    AGG_FUNCTIONS,
    ARITH_OPS,
    BIGINT,
    BOOLEAN,
    COMPARE_OPS,
    DATE,
    DOUBLE,
    FUNCTIONS,
    INT,
    INTEGERS,
    SMALLINT,
    STRING,
    Agg,
    Aggregate,
    And,
    Arith,
    Between,
    Call,
    CaseWhen,
    Cast,
    Col,
    Column,
    Compare,
    Database,
    Expr,
    Field,
    InList,
    Item,
    Lit,
    Node,
    Project,
    Row,
    Scan,
    SqlType,
    Table,
    Value,
    children,
    init_fields,
    type_text,
    walk,
)
from strategies.values import COLUMN_TYPES, domain
from tests.unit.strategy_asserts import assert_all_examples, drawn, minimal

EVERYTHING = tuple(Column(f"c{place}", kind) for place, kind in enumerate(COLUMN_TYPES))
TABLE = Scan("t0", EVERYTHING)
FIELDS = TABLE.fields
BITS = field_bits(TABLE)
A, B, D = Field("a", INT), Field("b", INT), Field("d", DOUBLE)
COL_A, ZERO = Col("a", INT), Lit(INT, 0)
NARROWER = {INT: {SMALLINT}, BIGINT: {SMALLINT, INT}}
OVERFLOWS = ("OutOfRangeException", "ConversionException")

EXPRESSION_NODES = sorted(
    name
    for name, kind in vars(strategies.ir).items()
    if isinstance(kind, type) and issubclass(kind, Expr) and kind is not Expr
)


def some(strategy: SearchStrategy[Node], *, count: int) -> list[Node]:
    """Different examples, the same in each run."""
    return drawn(each_afresh(strategy), count=count)


ANY_TYPE = st.sampled_from(COLUMN_TYPES).flatmap(lambda kind: expressions(FIELDS, kind, depth=3))


@pytest.fixture(scope="module")
def sample() -> list[Node]:
    """Expressions of all types, enough for each node to be among them."""
    return some(ANY_TYPE, count=1_500)


@pytest.fixture(scope="module")
def sampled_aggregates() -> list[Node]:
    """Aggregates, enough for each function to be among them."""
    return some(aggregates(FIELDS, bits=BITS), count=400)


def parts(nodes: Iterable[Node]) -> Iterator[Node]:
    """All nodes of all trees."""
    return (part for node in nodes for part in walk(node))


# Promise.


def reads_back(node: Node) -> bool:
    """Whether a printed node pastes into a program."""
    return eval(repr(node), vars(strategies.ir)) == node


@pytest.mark.parametrize("kind", COLUMN_TYPES, ids=type_text)
def test_expressions_are_of_their_type(kind: SqlType) -> None:
    assert_all_examples(expressions(FIELDS, kind), lambda found: found.type == kind, count=40)


@pytest.mark.parametrize(
    "strategy", [predicates(FIELDS), ANY_TYPE, aggregates(FIELDS)], ids=["predicates", "expressions", "aggregates"]
)
def test_what_is_drawn_reads_back(strategy: SearchStrategy[Node]) -> None:
    assert_all_examples(strategy, reads_back)


def test_predicates_are_boolean() -> None:
    assert_all_examples(predicates(FIELDS), lambda found: found.type == BOOLEAN)


def test_predicates_over_nothing_are_literals() -> None:
    assert_all_examples(predicates(()), lambda found: isinstance(found, Lit))


def test_ambiguous_fields_are_left_out() -> None:
    twice = (A, A, B)
    assert_all_examples(predicates(twice), lambda found: COL_A not in walk(found))


def widened(operand: Expr, kind: SqlType) -> bool:
    """Whether ``operand`` comes from a narrower integer type, of which even products fit into ``kind``."""
    return isinstance(operand, Cast) and operand.operand.type in NARROWER.get(kind, ())


def small_in(condition: Expr) -> list[Expr]:
    """The operand that ``condition`` keeps within bounds, if that is what it does."""
    return [condition.operand] if isinstance(condition, Between) and not condition.negated else []


def is_guarded(node: Node, small: tuple[Expr, ...] = ()) -> bool:
    """Whether all integer arithmetic is widened, or under a CASE that keeps the operand small."""
    if isinstance(node, Arith) and node.type in INTEGERS and node.left not in small:
        return widened(node.left, node.type) and widened(node.right, node.type)
    if isinstance(node, Call) and node.function == "date_add" and node.arguments[0] not in small:
        return False
    if isinstance(node, CaseWhen):
        branches = [
            is_guarded(branch.condition, small) and is_guarded(branch.result, (*small, *small_in(branch.condition)))
            for branch in node.branches
        ]
        return all(branches) and (node.otherwise is None or is_guarded(node.otherwise, small))
    return all(is_guarded(child, small) for child in children(node))


def test_everything_that_could_raise_is_guarded(sample: list[Node], sampled_aggregates: list[Node]) -> None:
    assert [node for node in (*sample, *sampled_aggregates) if not is_guarded(node)] == []


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


def extremes() -> tuple[Row, ...]:
    """A row for each place of the domains, and one of NULLs: every column has its least and greatest value."""
    columns: list[tuple[Value, ...]] = [domain(kind) for kind in COLUMN_TYPES]
    return (*zip_longest(*columns), (None,) * len(columns))


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
        lambda depth: aggregates(FIELDS, depth=depth),
    ],
    ids=["predicates", "expressions", "aggregates"],
)
def test_an_impossible_depth_is_refused(strategy: Callable[[int], object], depth: int) -> None:
    with pytest.raises(InvalidArgument, match=f"depth={depth} must be in 0..4"):
        strategy(depth)


def test_kinds_are_those_of_columns_and_what_a_function_makes_of_them() -> None:
    assert set(kinds((Field("s", STRING),))) >= {STRING, INT, BOOLEAN}
    assert DATE not in kinds((Field("s", STRING),))
    assert kinds(()) == (INT,)


# Reach.


@pytest.mark.parametrize("name", EXPRESSION_NODES)
def test_expressions_reach_every_node(name: str, sample: list[Node]) -> None:
    assert any(type(part).__name__ == name for part in parts(sample))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_expressions_reach_every_function(name: str, sample: list[Node]) -> None:
    assert any(isinstance(part, Call) and part.function == name for part in parts(sample))


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
        "NaN",
        "NULL of BOOLEAN",
        "nested AND",
    ],
)
def test_expressions_reach(holds: Callable[[Node], bool], sample: list[Node]) -> None:
    assert any(map(holds, parts(sample)))


@pytest.mark.parametrize("function", AGG_FUNCTIONS)
@pytest.mark.parametrize("distinct", [False, True], ids=["all", "distinct"])
def test_aggregates_reach_every_function(function: str, distinct: bool, sampled_aggregates: list[Node]) -> None:
    assert any(
        isinstance(found, Agg) and (found.function, found.distinct) == (function, distinct)
        for found in sampled_aggregates
    )


@pytest.mark.parametrize(
    "holds",
    [
        lambda found: found == Agg("count"),
        lambda found: found.where is not None,
        lambda found: found.function == "sum" and found.operand.type == DOUBLE,
        lambda found: found.function == "sum" and found.operand.type == BIGINT,
        lambda found: found.function == "avg" and found.operand.type == BIGINT,
        lambda found: found.function == "sum" and found.type not in (BIGINT, DOUBLE),
        lambda found: found.function == "min" and found.operand.type == BOOLEAN,
        lambda found: isinstance(found.operand, CaseWhen),
    ],
    ids=[
        "count(*)",
        "FILTER",
        "sum of doubles",
        "sum of BIGINT",
        "avg of BIGINT",
        "sum of decimals",
        "min of BOOLEAN",
        "CASE",
    ],
)
def test_aggregates_reach(holds: Callable[[Node], bool], sampled_aggregates: list[Node]) -> None:
    assert any(map(holds, sampled_aggregates))


# Minimum.


@pytest.mark.parametrize(
    ("strategy", "holds", "least"),
    [
        (predicates((A, B)), lambda _: True, Compare("=", COL_A, ZERO)),
        (
            predicates((A, B)),
            lambda found: isinstance(found, Compare) and found.op == "<=>",
            Compare("<=>", COL_A, ZERO),
        ),
        (predicates((A, B)), lambda found: Col("b", INT) in walk(found), Compare("=", COL_A, Col("b", INT))),
        (expressions((A, B), INT), lambda _: True, COL_A),
        (expressions((D,), INT), lambda _: True, ZERO),
        (expressions((A,), BIGINT), lambda _: True, Cast(COL_A, BIGINT)),
        (expressions((Field("s", STRING),), DATE), lambda _: True, Lit(DATE, "1970-01-01")),
        (aggregates((A, B)), lambda _: True, Agg("count")),
        (aggregates((A, B)), lambda found: found.function == "max", Agg("max", COL_A)),
    ],
    ids=["predicate", "<=>", "second column", "column", "literal", "cast", "date", "count(*)", "max"],
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
        ("InList", 4),
        ("Between", 4),
        ("Coalesce", 7),
        ("CaseWhen", 10),
    ],
)
def test_a_predicate_with_a_node_shrinks_to_little_else(name: str, nodes: int) -> None:
    found = minimal(predicates((A, B)), lambda found: any(type(part).__name__ == name for part in walk(found)))
    assert size(found) <= nodes


# Exactness.


@pytest.mark.parametrize(
    ("expression", "bits"),
    [
        (Lit(DOUBLE, None), Bits(0, 0)),
        (Lit(DOUBLE, "nan"), Bits(0, 0)),
        (Lit(DOUBLE, (2.75).hex()), Bits(2, 2)),
        (Lit(DOUBLE, (-0.5).hex()), Bits(0, 1)),
        (D.column(), Bits(3, 2)),
        (Cast(COL_A, DOUBLE), Bits(31, 0)),
        (Arith("+", D.column(), Lit(DOUBLE, (0.5).hex())), Bits(4, 2)),
        (Arith("*", D.column(), D.column()), Bits(6, 4)),
        (Call("nanvl", (D.column(), Lit(DOUBLE, (8.0).hex()))), Bits(4, 2)),
        (Col("inexact", DOUBLE), None),
        (Arith("-", D.column(), Col("inexact", DOUBLE)), None),
    ],
    ids=["NULL", "NaN", "2.75", "-0.5", "column", "INT", "sum", "product", "nanvl", "inexact", "inexact part"],
)
def test_bits_of(expression: Expr, bits: Bits | None) -> None:
    fields = (A, D, Field("inexact", DOUBLE))
    assert expression_bits(expression, fields, (None, Bits(3, 2), None)) == bits


@pytest.mark.parametrize(
    ("bits", "summable"), [(Bits(3, 2), True), (Bits(31, 8), True), (Bits(31, 9), False), (Bits(63, 0), False)], ids=str
)
def test_a_sum_that_may_need_more_than_53_bits_is_not_exact(bits: Bits, summable: bool) -> None:
    assert bits.summable is summable


def test_an_average_is_not_summed_again() -> None:
    averages = Aggregate(
        TABLE, (), (Item("a", Agg("avg", Col("c3", DOUBLE))), Item("b", Agg("sum", Col("c3", DOUBLE))))
    )
    assert [bits is None for bits in field_bits(averages)] == [True, False]


def sums_doubles(found: Node) -> bool:
    """Whether this aggregate depends on the order of the rows, if its doubles aren't exact."""
    return isinstance(found, Agg) and found.function in ("sum", "avg") and found.operand.type == DOUBLE


def test_without_bits_no_double_is_summed() -> None:
    assert_all_examples(aggregates(FIELDS), lambda found: not sums_doubles(found), count=300)


def test_sums_of_doubles_are_the_same_in_every_order(sampled_aggregates: list[Node]) -> None:
    rows = extremes() * 3
    sums = [Aggregate(TABLE, (), (Item("a", found),)) for found in sampled_aggregates if sums_doubles(found)]
    with DuckdbEngine() as engine:
        forth = [engine.run(query, Database((Table("t0", EVERYTHING, rows),))) for query in sums]
        back = [engine.run(query, Database((Table("t0", EVERYTHING, rows[::-1]),))) for query in sums]
    assert len(sums) > 5
    assert all(
        isinstance(one, Rows) and isinstance(two, Rows) and same(one, two) for one, two in zip(forth, back, strict=True)
    )


def test_equal_nodes_have_equal_fields(sample: list[Node]) -> None:
    """What caches by fields relies on: nothing but the constructor's arguments makes a node."""
    assert all(type(node)(**init_fields(node)) == node for node in sample[:200])
