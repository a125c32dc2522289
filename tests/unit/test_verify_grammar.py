"""The queries of the small grammar: all of each level, each once, and no others."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.verify import grammar as module
from assay.verify.bound import Bound
from assay.verify.grammar import LEVELS, Grammar, Level, Schema, valid
from assay.verify.interest import operators_of as named_of
from assay.verify.interest import passing
from assay.verify.nesting import subqueries
from assay.verify.vocabulary import CENTS, predicates
from strategies.ir import (
    BOOLEAN,
    DOUBLE,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    Col,
    Column,
    Compare,
    CteScan,
    Distinct,
    Field,
    Filter,
    InList,
    Item,
    Join,
    Limit,
    Lit,
    Not,
    Or,
    Over,
    Project,
    Ranking,
    Relation,
    Scan,
    SetOp,
    SortKey,
    Subquery,
    Values,
    Window,
    With,
    scans,
    walk,
)
from strategies.ir.relations import from_fields, referable

TWO = Schema((INT, INT), 2)
SCHEMAS = [TWO, Schema((DOUBLE,), 2), Schema((STRING,), 2), Schema((BOOLEAN,), 2), Schema((INT,), 3)]
ONE_OPERATOR = 47
ONE_COLUMN = Schema((INT,), 2)
SMALL = [level for level in LEVELS if level.operators + level.parts <= 2]


def queries(level: Level, schema: Schema = TWO) -> list[Relation]:
    return list(Grammar(schema).queries(level))


def test_queries_of_one_operator_are_counted_by_hand():
    """Over t0: 2 filters, 4 projections, 4 groupings with each of 3 functions, DISTINCT, 2 limits; 6 set operators and
    7 joins with t0 or t1.
    """
    assert len(queries(Level(1, 0))) == ONE_OPERATOR == 2 + 4 + 4 * 3 + 1 + 2 + 2 * (6 + 7)


@pytest.mark.parametrize("parts", [0, 1, 2, 3])
def test_conditions_are_counted_by_formula(parts):
    """NOT of all that isn't a NOT; AND and OR of all pairs whose parts add up, the operands in one order."""
    fields = (Field("a", INT), Field("b", INT))
    found = predicates(fields, parts)
    atoms = 2 if parts == 0 else 2 * 17 + 4 + 3 if parts == 1 else 0
    if parts == 0:
        assert len(found) == atoms
        return
    counts = [len(predicates(fields, number)) for number in range(parts)]
    nots = sum(not isinstance(each, Not) for each in predicates(fields, parts - 1))
    pairs = sum(
        counts[left] * counts[parts - 1 - left] if left < parts - 1 - left else counts[left] * (counts[left] - 1) // 2
        for left in range(parts)
        if left <= parts - 1 - left
    )
    assert len(found) == atoms + nots + 2 * pairs
    assert len(set(found)) == len(found)


def test_a_joins_condition_may_have_a_part_about_one_side():
    left, right = Alias(Scan("t0", TWO.columns), "l"), Alias(Scan("t1", TWO.columns), "r")
    more = Compare(">", Col("b", INT, "l"), Lit(INT, 0))
    on = And(Compare("=", Col("a", INT, "l"), Col("a", INT, "r")), more)
    assert Join(left, right, "left", on) in queries(Level(1, 2))


def operators_of(query: Relation) -> int:
    """The operators of a query, counted in another way: a subquery with all that is in it is one."""
    inner = {id(node) for part in walk(query) if isinstance(part, Subquery) for node in walk(part.query)}
    own = [node for node in walk(query) if isinstance(node, Relation) and id(node) not in inner]
    counted = [node for node in own if not isinstance(node, (Scan, CteScan, Values, Alias, AnyLimit))]
    return len(counted) + sum(isinstance(node, Subquery) for node in walk(query))


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: f"{schema.types}")
@pytest.mark.parametrize("level", SMALL, ids=str)
def test_a_level_has_queries_of_its_size_each_once_with_tables_in_order(level, schema):
    found = queries(level, schema)
    assert {operators_of(query) for query in found} <= {level.operators}
    assert max(Counter(found).values(), default=1) == 1
    for query in found:
        read = list(dict.fromkeys(scan.table for scan in scans(query)))
        assert read == [f"t{number}" for number in range(len(read))]
        assert len(read) <= schema.tables


def test_levels_have_no_query_in_common():
    every = [query for level in SMALL for query in queries(level)]
    assert len(set(every)) == len(every)


def test_the_levels_of_a_bound_come_in_the_order_of_size():
    stages = list(Bound().stages())
    for schema in SCHEMAS:
        levels = [stage.level for stage in stages if stage.schema == schema]
        assert levels == [level for level in LEVELS if level in levels] == list(LEVELS)
    assert {stage.level.operators for stage in Bound(operators=1).stages()} == {1}
    assert {stage.schema.tables for stage in Bound(tables=1).stages()} == {1}


@st.composite
def drawn_queries(draw: st.DrawFn) -> tuple[Relation, int]:
    """A query of one or two operators without further parts, put together without the grammar, and its operators."""
    count = draw(st.integers(1, 2))
    used = 0

    def leaf() -> Relation:
        nonlocal used
        number = draw(st.integers(0, min(used, 1)))
        used = max(used, number + 1)
        return Scan(f"t{number}", TWO.columns)

    def relation(operators: int) -> Relation:
        if not operators:
            return leaf()
        if draw(st.booleans()):
            return unary(relation(operators - 1))
        below = draw(st.integers(0, operators - 1))
        left = relation(below)
        return binary(left, relation(operators - 1 - below))

    def unary(child: Relation) -> Relation:
        fields = referable(child.fields)
        kind = draw(st.sampled_from(["distinct", "filter", "project", "group", "count", "limit"]))
        if kind == "distinct" or not fields:
            return Distinct(child)
        one = draw(st.sampled_from(fields))
        if kind == "group" and one.name == "n":
            kind = "project"  # the count has this name, too
        if kind == "filter":
            scope = [field for field in referable(from_fields(child)) if field.type == INT]
            column = draw(st.sampled_from(scope)).column() if scope else None
            return Filter(child, Compare("=", column, Lit(INT, 0))) if column else Distinct(child)
        if kind == "project":
            return Project(child, (Item(one.name, one.column()),))
        if kind == "group":
            return Aggregate(child, (Item(one.name, one.column()),), (Item("n", Agg("count")),))
        if kind == "limit" and len(fields) == len(child.fields):
            return Limit(child, tuple(SortKey(field.column()) for field in fields), 1)
        return Aggregate(AnyLimit(child, 1), (), (Item("n", Agg("count")),))

    def binary(left: Relation, right: Relation) -> Relation:
        kinds = [field.type for field in left.fields]
        if draw(st.booleans()) and kinds == [field.type for field in right.fields]:
            return SetOp(draw(st.sampled_from(["union", "except", "intersect"])), left, right, draw(st.booleans()))
        return Join(*module.sides(left, right), "cross")

    return relation(count), count


@given(drawn=drawn_queries())
def test_a_query_that_is_put_together_by_hand_is_enumerated(drawn):
    query, operators = drawn
    if sum(field.name == "n" for field in query.fields) < 2:  # two counts have one name
        assert query in all_of(operators)


_ALL: dict[int, set[Relation]] = {}


def all_of(operators: int) -> set[Relation]:
    if operators not in _ALL:
        _ALL[operators] = set(queries(Level(operators, 0)))
    return _ALL[operators]


def left_out(monkeypatch, wanted):
    """The grammar without the operators of one type."""
    real = module.unary
    monkeypatch.setattr(
        module, "unary", lambda child, parts: (make for make in real(child, parts) if not isinstance(make(), wanted))
    )


def test_an_operator_that_is_left_out_is_noticed(monkeypatch):
    left_out(monkeypatch, Distinct)
    assert len(queries(Level(1, 0))) != ONE_OPERATOR
    assert Distinct(Scan("t0", TWO.columns)) not in set(queries(Level(1, 0)))


@pytest.mark.parametrize(
    "wanted",
    [
        Filter(
            Scan("t0", TWO.columns),
            And(
                Compare("=", Scan("t0", TWO.columns).fields[0].column(), Lit(INT, 0)),
                Or(
                    Compare("=", Scan("t0", TWO.columns).fields[1].column(), Lit(INT, 0)),
                    Not(Compare("=", Scan("t0", TWO.columns).fields[0].column(), Lit(INT, 0))),
                ),
            ),
        ),
    ],
    ids=["x AND (y OR NOT x)"],
)
def test_a_condition_that_a_rule_is_about_is_enumerated(wanted):
    assert wanted in set(queries(Level(1, 3)))


def test_joins_of_three_tables_have_conditions_on_all_of_them():
    """A join on the left keeps the names of its sides, so that a condition can tell their columns apart."""
    one = Schema((INT,), 3)
    t0, t1, t2 = (Scan(f"t{number}", one.columns) for number in range(3))
    left = Join(Alias(t0, "l"), Alias(t1, "r"), "cross")
    last = Alias(t2, "s")
    (a, b), (c,) = (tuple(field.column() for field in side.fields) for side in (left, last))
    found = set(queries(Level(2, 1), one))
    assert Join(left, last, "inner", Compare("=", b, c)) in found
    assert Join(left, last, "inner", And(Compare("=", a, c), InList(b, (a, c)))) in found


@pytest.mark.one_in(5)  # some levels take seconds
@pytest.mark.parametrize("names", [["Window", "Filter"], ["WithCTE"], ["Except"], ["Join"]], ids=" ".join)
@pytest.mark.parametrize("level", [*SMALL, Level(2, 1)], ids=str)
def test_a_grammar_of_some_operators_has_just_those_queries_of_the_whole_one(level, names):
    among = {*names, *passing(names)}
    some = Grammar(ONE_COLUMN, lambda relation: named_of(relation) <= among)
    assert {*some.queries(level)} == {query for query in queries(level, ONE_COLUMN) if named_of(query) <= among}


@pytest.mark.parametrize(
    ("names", "pass_by"),
    [
        (["Join"], {"Project", "Subquery", "Except", "Intersect"}),
        (["Except"], {"Project"}),
        (["Subquery"], {"Project", "Filter"}),
    ],
    ids=["joins, which these become", "EXCEPT alone", "subqueries, which a filter holds"],
)
def test_operators_that_become_a_named_one_stand_among_them(names, pass_by):
    assert passing(names) == pass_by


T0 = Scan("t0", TWO.columns)
READ = CteScan("w", TWO.columns)
RANKED = Window(T0, (Over("w", Ranking("rank")),), (T0.fields[0].column(),), (SortKey(T0.fields[1].column()),))


@pytest.mark.one_in(3)  # as above
@pytest.mark.parametrize(
    ("wanted", "level"),
    [
        (With("w", T0, SetOp("union", READ, READ, all=True)), Level(2, 0)),
        (With("w", Distinct(T0), Join(READ, Alias(READ, "v"), "cross")), Level(3, 0)),
        (
            With(
                "w",
                T0,
                SetOp("union", Filter(READ, Compare("=", READ.fields[0].column(), Lit(INT, 0))), READ, all=True),
            ),
            Level(3, 0),
        ),
        (RANKED, Level(1, 1)),
        (Filter(RANKED, Compare("<=", Col("w", INT), Lit(INT, 1))), Level(2, 2)),
    ],
    ids=["read twice", "joined with itself", "read in part", "a rank", "the first ranks"],
)
def test_a_query_that_a_rule_is_about_is_enumerated(wanted, level):
    among = named_of(wanted) | {"Project", "Filter"}
    assert wanted in set(Grammar(TWO, lambda relation: named_of(relation) <= among).queries(level))


def test_queries_of_three_operators_come_without_the_ones_before_being_kept():
    assert len(list(islice(Grammar(TWO).queries(Level(3, 0)), 1_000))) == 1_000


@pytest.mark.parametrize("parts", [0, 1])
def test_subqueries_meet_columns_that_compare_with_theirs(parts):
    """A count and a decimal have no common type: one that comes first is passed over, and one alone has no subquery."""
    scan = Scan("t0", (Column("a", CENTS),))
    key, count = Item("a", scan.fields[0].column()), Item("n", Agg("count"))
    counts, both = Aggregate(scan, (), (count,)), Aggregate(scan, (key,), (count,))
    inner = Alias(Scan("t1", (Column("a", CENTS),)), "s")
    assert list(valid(subqueries(Alias(counts, "x"), inner, parts))) == []
    assert list(valid(subqueries(Alias(both, "x"), inner, parts))) != []
