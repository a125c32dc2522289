"""Queries: well typed by construction, every operator and hazard reached, small in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

import pytest
from hypothesis.errors import InvalidArgument

from oracles.answers.outcome import Raised, Rows
from oracles.engines.duckdb import DuckdbEngine
from strategies import ir
from strategies.draw.cases import cases
from strategies.draw.exactness import expression_bits, field_bits
from strategies.draw.queries import MAX_OPERATORS, most_rows, queries
from strategies.draw.scopes import fresh_alias, scope
from strategies.draw.values import NESTED_TYPES
from strategies.ir import (
    AGG_FUNCTIONS,
    DOUBLE,
    FUNCTIONS,
    HIGHER_ORDER,
    INT,
    JOIN_KINDS,
    SET_KINDS,
    STRING,
    UNDRAWN,
    Agg,
    Aggregate,
    Alias,
    AnyLimit,
    Call,
    Col,
    Column,
    Compare,
    Database,
    Deduplicate,
    Distinct,
    Expr,
    Field,
    Filter,
    Generate,
    HigherOrder,
    Item,
    Join,
    Limit,
    Lit,
    Node,
    Project,
    Relation,
    Scan,
    SetOp,
    SqlType,
    Table,
    Values,
    Window,
    children,
    is_plain,
    may_raise,
    operators,
    qualifiers,
    scans,
    transform,
    type_text,
    walk,
)
from tests.unit.campaign_queries import lacking, many_nodes, many_queries
from tests.unit.query_forms import (
    about_each_side,
    against_its_filter,
    filters_of_one,
    functions_of,
    has_names_twice,
    has_parts,
    lists_a_column_twice,
    names_elsewhere,
    reads_a_table_twice,
    reuses_a_name,
    swaps_names,
)
from tests.unit.strategy_asserts import assert_all_examples, drawn

pytestmark = pytest.mark.slow  # 5,000 draws take a minute or two

AB = (Column("a", INT), Column("b", STRING))
SCHEMA = Database((Table("t0", AB), Table("t1", AB)))
T0, T1 = Scan("t0", AB), Scan("t1", AB)

NODES = sorted(
    name
    for name, kind in vars(ir).items()
    if isinstance(kind, type)
    and issubclass(kind, Node)
    and kind not in (Node, Expr, Relation, ir.Subquery, ir.Typed, ir.Verbatim, ir.Assignment, ir.MergeClause)
    and not issubclass(kind, ir.Statement)
)


@pytest.fixture(scope="module")
def sample() -> tuple[Relation, ...]:
    """Queries over all sorts of schemas, as many as a run of the campaign has."""
    return many_queries()


@pytest.fixture(scope="module")
def sampled_nodes() -> tuple[Node, ...]:
    return many_nodes()


def relations(query: Relation) -> Iterator[Relation]:
    """The relations of a query."""
    return (node for node in walk(query) if isinstance(node, Relation))


# Promise.


def test_queries_read_back(sample: tuple[Relation, ...]) -> None:
    assert [query for query in sample[:1_000] if eval(repr(query), vars(ir)) != query] == []


def test_queries_read_no_tables_but_those_of_their_schema() -> None:
    """A query of VALUES alone reads none."""
    assert_all_examples(queries(SCHEMA), lambda query: set(scans(query)) <= {T0, T1})


def fitting_projections(query: Relation) -> int:
    """Projections that a set operator needed on its right side, for its columns to fit."""
    return sum(isinstance(node, SetOp) and isinstance(node.right, Project) for node in relations(query))


@pytest.mark.parametrize("bound", [0, 1, 3, MAX_OPERATORS])
def test_queries_have_no_more_operators_than_asked_for(bound: int) -> None:
    assert_all_examples(
        queries(SCHEMA, max_operators=bound), lambda query: operators(query) - fitting_projections(query) <= bound + 1
    )


def test_joins_are_never_large(sample: tuple[Relation, ...]) -> None:
    """Or a check would be about nothing but a product of a million rows, and sums would no longer be exact."""
    assert max(map(most_rows, sample)) < 2**14


def inexact(node: Node) -> bool:
    """Whether ``node`` sums doubles whose sum depends on the order of the rows."""
    if not isinstance(node, Aggregate):
        return False
    fields, bits = scope(node.child.fields), field_bits(node.child)
    sums = [item.value for item in node.aggregates if item.value.type == DOUBLE]
    operands = [value.operand for value in sums if isinstance(value, Agg) and value.function in ("sum", "avg")]
    doubles = [expression_bits(operand, fields, bits) for operand in operands if operand and operand.type == DOUBLE]
    return not all(found and found.summable for found in doubles)


def without_ctes(query: Relation) -> Node:
    """``query`` with each common table expression where it is read: only so is it known what its columns hold."""
    return transform(query, lambda node: Distinct(ir.inlined(node)) if isinstance(node, ir.With) else node)


def test_no_sum_depends_on_the_order_of_the_rows(sample: tuple[Relation, ...]) -> None:
    assert [node for query in sample for node in walk(without_ctes(query)) if inexact(node)] == []


def test_the_check_for_inexact_sums_sees_one() -> None:
    doubles = Scan("t0", (Column("a", DOUBLE),))
    average = Aggregate(doubles, (), (Item("a", Agg("avg", Col("a", DOUBLE))),))
    assert not inexact(average)
    assert inexact(Aggregate(average, (), (Item("a", Agg("sum", Col("a", DOUBLE))),)))


def test_queries_run_and_most_of_them_return_rows() -> None:
    """On DuckDB with its optimizer off, where no guard is moved: beside internal errors, only what may raise does."""
    with DuckdbEngine() as engine:
        silent = [case for case in drawn(cases(), count=400) if not may_raise(case.query)]
        answers = [engine.run(case.query, case.database, optimize=False) for case in silent]
    assert [answer for answer in answers if isinstance(answer, Raised) and answer.kind == "user"] == []
    assert sum(isinstance(answer, Rows) and answer.rows != () for answer in answers) > 0.6 * len(answers)


def test_a_query_has_no_more_rows_than_said() -> None:
    with DuckdbEngine() as engine:
        answers = [(case, engine.run(case.query, case.database)) for case in drawn(cases(), count=150)]
    assert [
        case for case, answer in answers if isinstance(answer, Rows) and len(answer.rows) > most_rows(case.query)
    ] == []


@pytest.mark.parametrize(
    "refused",
    [lambda: queries(Database(())), lambda: queries(SCHEMA, max_operators=-1)],
    ids=["no table", "fewer than no operators"],
)
def test_impossible_bounds_are_refused(refused: Callable[[], object]) -> None:
    with pytest.raises(InvalidArgument, match="nothing to draw from"):
        refused()


@pytest.mark.parametrize(
    ("fields", "seen"),
    [
        ((Field("a", INT, "t0"), Field("b", INT, "t0")), (Field("a", INT), Field("b", INT))),
        ((Field("a", INT, "t0"), Field("a", INT, "t1")), (Field("a", INT, "t0"), Field("a", INT, "t1"))),
        ((Field("a", INT), Field("a", INT)), (Field("a", INT), Field("a", INT))),
    ],
    ids=["names differ", "one name", "no qualifier"],
)
def test_a_scope_qualifies_where_it_must(fields: tuple[Field, ...], seen: tuple[Field, ...]) -> None:
    assert scope(fields) == seen


def test_a_fresh_alias_is_nobody_elses() -> None:
    taken = Join(Alias(T0, "s0"), Alias(T1, "s2"), "cross")
    assert fresh_alias(taken) == "s1"
    assert fresh_alias(Alias(taken, "s1")) == "s0"


def has_two_values_of_a_table(node: Node) -> bool:
    """Whether two aggregates without groups, one of them over a filter, read the same rows below it."""
    if not isinstance(node, Project):
        return False
    values = [item.value.query for item in node.items if isinstance(item.value, ir.ScalarSubquery)]
    rows = [value.child for value in values if isinstance(value, Aggregate) and not value.keys]
    return any(isinstance(one, Filter) and one.child in rows for one in rows)


# Reach: what is never among 5,000 queries is a hole in every campaign.


@pytest.mark.parametrize("name", NODES)
def test_queries_reach_every_node(name: str, sampled_nodes: tuple[Node, ...]) -> None:
    assert sum(type(node).__name__ == name for node in sampled_nodes) >= 20


def called(queries: Iterable[Relation]) -> set[str]:
    """The functions that some of ``queries`` call, aggregate functions among them."""
    return {node.function for query in queries for node in walk(query) if isinstance(node, (Call, Agg))}


def test_queries_reach_every_function() -> None:
    assert lacking(lambda queries: {*FUNCTIONS, *AGG_FUNCTIONS} - called(queries)) == UNDRAWN


@pytest.mark.parametrize("name", HIGHER_ORDER)
def test_queries_reach_every_function_of_elements(name: str, sampled_nodes: tuple[Node, ...]) -> None:
    assert any(isinstance(node, HigherOrder) and node.function == name for node in sampled_nodes)


@pytest.mark.parametrize("kind", NESTED_TYPES, ids=type_text)
def test_queries_reach_columns_of_every_nested_type(kind: SqlType, sampled_nodes: tuple[Node, ...]) -> None:
    assert any(isinstance(node, Scan) and kind in [column.type for column in node.columns] for node in sampled_nodes)


@pytest.mark.parametrize("kind", JOIN_KINDS)
def test_queries_reach_every_join(kind: str, sampled_nodes: tuple[Node, ...]) -> None:
    assert sum(isinstance(node, Join) and node.kind == kind for node in sampled_nodes) >= 100


@pytest.mark.parametrize("keeps_all", [False, True], ids=["distinct", "all"])
@pytest.mark.parametrize("kind", SET_KINDS)
def test_queries_reach_every_set_operator(kind: str, keeps_all: bool, sampled_nodes: tuple[Node, ...]) -> None:
    assert sum(isinstance(n, SetOp) and (n.kind, n.all) == (kind, keeps_all) for n in sampled_nodes) >= 100


@pytest.mark.parametrize(
    "holds",
    [
        reuses_a_name,
        swaps_names,
        has_names_twice,
        lists_a_column_twice,
        lambda node: isinstance(node, SetOp) and node.all and any(map(lists_a_column_twice, walk(node.left))),
        lambda node: isinstance(node, SetOp) and node.all and any(map(lists_a_column_twice, walk(node.right))),
        reads_a_table_twice,
        against_its_filter,
        lambda node: filters_of_one(node, "except"),
        lambda node: filters_of_one(node, "intersect"),
        lambda node: isinstance(node, SetOp) and isinstance(node.left, SetOp),
        lambda node: isinstance(node, SetOp) and isinstance(node.right, SetOp),
        lambda node: isinstance(node, SetOp) and node.left == node.right,
        lambda node: (
            isinstance(node, SetOp) and node.left.fields != node.fields and qualifiers(node.left) == frozenset()
        ),
        lambda node: isinstance(node, Join) and isinstance(node.left, Join),
        lambda node: isinstance(node, Join) and isinstance(node.right, Join),
        lambda node: isinstance(node, Join) and isinstance(node.on, Compare) and node.on.op == "<=>",
        lambda node: isinstance(node, Join) and node.on is not None and not isinstance(node.on, Compare),
        lambda node: isinstance(node, Filter) and isinstance(node.child, Filter),
        lambda node: isinstance(node, Filter) and isinstance(node.child, Join),
        lambda node: isinstance(node, Filter) and isinstance(node.child, Aggregate),
        lambda node: isinstance(node, Aggregate) and not node.keys,
        lambda node: isinstance(node, Aggregate) and not node.aggregates,
        lambda node: isinstance(node, Aggregate) and node.having is not None,
        lambda node: isinstance(node, Aggregate) and any(isinstance(key.value, Lit) for key in node.keys),
        lambda node: isinstance(node, Aggregate) and any(isinstance(key.value, Call) for key in node.keys),
        lambda node: isinstance(node, Aggregate) and isinstance(node.child, AnyLimit),
        lambda node: isinstance(node, Agg) and node.distinct,
        lambda node: isinstance(node, Agg) and node.where is not None,
        lambda node: isinstance(node, Distinct) and has_parts(node, Project),
        lambda node: isinstance(node, Deduplicate) and len(node.keys) == len(node.fields),
        lambda node: isinstance(node, Deduplicate) and len(node.keys) < len(node.fields),
        lambda node: isinstance(node, Limit) and node.offset > 0,
        lambda node: isinstance(node, Limit) and node.count == 0,
        lambda node: isinstance(node, Limit) and any(key.descending and key.nulls_first for key in node.order),
        lambda node: isinstance(node, Alias) and not isinstance(node.child, Scan),
        lambda node: isinstance(node, Generate) and node.outer and node.position is not None,
        lambda node: isinstance(node, Generate) and not node.outer and isinstance(node.array, Col),
        lambda node: isinstance(node, Generate) and has_names_twice(node),
        lambda node: isinstance(node, Limit) and not all(is_plain(key.value.type) for key in node.order),
        lambda node: isinstance(node, SetOp) and not all(is_plain(field.type) for field in node.fields),
        names_elsewhere,
        lambda node: isinstance(node, SetOp) and isinstance(node.left, Project) and isinstance(node.left.child, SetOp),
        lambda node: isinstance(node, AnyLimit) and isinstance(node.child, Values),
        lambda node: isinstance(node, AnyLimit) and isinstance(node.child, Limit),
        lambda node: isinstance(node, Aggregate) and sum(one.distinct for one in functions_of(node)) > 1,
        about_each_side,
        lambda node: (
            isinstance(node, Window) and isinstance(node.child, Filter) and isinstance(node.child.child, Window)
        ),
        lambda node: (
            isinstance(node, AnyLimit) and isinstance(node.child, Filter) and isinstance(node.child.child, Window)
        ),
        lambda node: isinstance(node, SetOp) and isinstance(node.left, SetOp) and node.left.right == node.right,
        has_two_values_of_a_table,
    ],
    ids=[
        "a + 1 AS a",
        "b AS a, a AS b",
        "a name twice",
        "a column twice",
        "a column twice on the left of ALL",
        "a column twice on the right of ALL",
        "a table twice",
        "X against Filter(X)",
        "Filter(X) EXCEPT Filter(X)",
        "Filter(X) INTERSECT Filter(X)",
        "chained",
        "nested on the right",
        "X against X",
        "widened",
        "join of a join",
        "join with a join",
        "<=>",
        "ON with more",
        "two filters",
        "filter of a join",
        "filter of groups",
        "no keys",
        "keys alone",
        "HAVING",
        "a literal as key",
        "a function as key",
        "count of AnyLimit",
        "DISTINCT",
        "FILTER",
        "distinct projection",
        "deduplicate on all",
        "deduplicate on some",
        "offset",
        "LIMIT 0",
        "DESC NULLS FIRST",
        "named subquery",
        "outer with positions",
        "elements of a column",
        "a name twice by its elements",
        "order of nested values",
        "nested values in a set operator",
        "one name at two places of a set operator",
        "a projection between two set operators",
        "a limit over rows at hand",
        "a limit over first rows",
        "two DISTINCTs",
        "either of a join's sides",
        "a window over a filtered one",
        "a limit over filtered ranks",
        "a branch twice",
        "two values of one table",
    ],
)
def test_queries_reach(holds: Callable[[Node], bool]) -> None:
    def is_absent(queries: tuple[Relation, ...]) -> list[str]:
        return [] if any(holds(node) for query in queries for node in walk(query)) else ["it"]

    assert lacking(is_absent) == set()


def test_queries_end_in_any_limit_now_and_then(sample: tuple[Relation, ...]) -> None:
    assert any(isinstance(query, AnyLimit) for query in sample)


def test_queries_differ(sample: tuple[Relation, ...]) -> None:
    assert len(set(sample)) > 0.9 * len(sample)


def test_pairs_of_relations_meet_in_both_orders(sampled_nodes: tuple[Node, ...]) -> None:
    """A rule looks at an operator and the one below it."""
    common = (Filter, Project, Join, Aggregate, SetOp, Distinct)
    stacked = {(type(node), type(child)) for node in sampled_nodes for child in children(node)}
    both = [pair for one, two in combinations(common, 2) for pair in ((one, two), (two, one))]
    assert {*both, (Limit, Window), (Limit, SetOp), (Window, Window)} <= stacked
