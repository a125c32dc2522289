"""Two plans over many databases in one call: the JVM compares as Python does, and misses no database."""

from __future__ import annotations

from itertools import product

import pyarrow as pa
import pytest
from hypothesis import given

from assay.session.own_rule import own_rule
from assay.verify.databases import Versions, databases, packed, row_count
from oracles.answers.outcome import rows_from_arrow
from oracles.answers.rows import same
from oracles.checks.choices import fixed
from oracles.engines.spark.plan_pairs import plan_pair, plans
from oracles.rules.switch import switch_off
from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    And,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Distinct,
    Expr,
    Filter,
    Item,
    Limit,
    Lit,
    Project,
    RaisingArith,
    Scan,
    SetOp,
    Settings,
    SortKey,
    Table,
    Values,
    ValuesRow,
)
from tests.meta.comparator_laws import edits, shuffles
from tests.meta.comparator_pairs import DIFFERENT, EQUAL

pytestmark = pytest.mark.in_driver

COLUMNS = (Column("a", INT), Column("b", INT))
EVERY = Versions((INT, INT), 2)
T0, T1 = Scan("t0", COLUMNS), Scan("t1", COLUMNS)
WRONG = own_rule("ReplaceExceptWithNotFilterAsWritten")


def stream(table):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks(), max_chunksize=None)
    return sink.getvalue().to_pybytes()


@pytest.fixture
def agrees(harness):
    """Whether the JVM and Python say the same of two results."""
    answer = harness.spark.session._jvm.org.apache.spark.sql.assay.Answer

    def compared(one, other, ordered=False):
        python = same(rows_from_arrow(one, ordered), rows_from_arrow(other, ordered))
        return answer.same(stream(one), stream(other), ordered) == python

    return compared


PAIRS = {pair.name: pair for pair in (*EQUAL, *DIFFERENT)}


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_the_jvm_compares_two_results_as_python_does(agrees, pair):
    assert agrees(pair.one, pair.two, all(pair.ordered))
    assert agrees(pair.two, pair.one, all(pair.ordered))


def test_the_jvm_sees_each_edit_and_no_shuffle(agrees):
    @given(edit=edits())
    def sees(edit):
        assert agrees(*edit)

    @given(edit=shuffles())
    def ignores(edit):
        assert agrees(*edit)

    sees()
    ignores()


def without(condition: Expr) -> SetOp:
    """``t0 EXCEPT (SELECT * FROM t0 WHERE condition)``, of which the wrong rule loses the rows with NULL."""
    return SetOp("except", T0, Filter(T0, condition))


EQUALITY = Compare("=", Col("a", INT, "t0"), Col("b", INT, "t0"))
CONSTANT = And(*(Compare("=", Col(name, INT, "t0"), Lit(INT, 0)) for name in "ab"))


@pytest.fixture
def swept(harness):
    """The databases over which the wrong rule changes the answer to a query, and its pair of plans."""

    def run(query, choices, *, partitions=1, tables=1):
        settings = Settings(partitions=partitions, table_partitions=partitions)
        # By its definition: rewritten as a join, EXCEPT has constants of its own.
        reference = switch_off([harness.catalogue.rule("ReplaceExceptWithAntiJoin").switch])
        legs = WRONG.settings(reference)
        loaded = [
            Database(tuple(Table(f"t{number}", COLUMNS, content) for number in range(tables)))
            for content in EVERY.contents
        ]
        with harness.spark.in_memory(loaded, partitions=partitions):
            pair = plan_pair(harness.spark, query, settings, legs.on, legs.off)
        found = pair.run(packed(choices), tables=tables, seconds=60, most=100_000)
        assert found.ran + len(found.unrun) == len(choices)
        return {choices[place] for place in found.differ}, pair

    return run


WHOLE = databases(EVERY, 1, ordered=True, named=True)


def spread(found, *, ordered, named):
    """All databases for which those that were ``found`` stand."""
    images = [[number] for number in range(len(EVERY.contents))]
    for number, content in enumerate(EVERY.contents):
        names = [{}] if named else [{}, *(renaming[INT] for renaming in EVERY.renamings)]
        renamed = [tuple(tuple(one.get(value, value) for value in row) for row in content) for one in names]
        images[number] = [
            other
            for other, rows in enumerate(EVERY.contents)
            if any(rows == one if ordered else EVERY.in_order(rows) == EVERY.in_order(one) for one in renamed)
        ]
    return {choice for each in found for choice in product(*(images[number] for number in each))}


@pytest.mark.parametrize("partitions", [1, 2])
@pytest.mark.parametrize(
    ("query", "named"), [(without(EQUALITY), False), (without(CONSTANT), True)], ids=["equality", "a constant"]
)
def test_those_that_stand_for_others_tell_of_all(swept, query, named, partitions):
    """Over all sequences of rows, the plans differ just where they do over a representative."""
    full, pair = swept(query, WHOLE, partitions=partitions)
    assert (pair.ordered, pair.named, pair.problem) == (False, named, "")
    few = databases(EVERY, 1, ordered=pair.ordered, named=pair.named)
    assert len(few) < len(WHOLE)
    found, _ = swept(query, few, partitions=partitions)
    assert spread(found, ordered=False, named=named) == full != set()


def test_a_symmetry_that_does_not_hold_is_noticed(swept):
    """A constant can tell values apart: it is NULL of (NULL, 0), and false of (NULL, 1)."""
    query = without(CONSTANT)
    full, _ = swept(query, WHOLE)
    found, _ = swept(query, databases(EVERY, 1, ordered=False, named=False))
    assert spread(found, ordered=False, named=False) != full


ORDERED = {
    "a limit": Distinct(Limit(T0, tuple(SortKey(Col(name, INT, "t0")) for name in "ab"), 1)),
    "an order of its own": Limit(T0, tuple(SortKey(Col(name, INT, "t0")) for name in "ab"), 1),
}


@pytest.mark.parametrize("query", ORDERED.values(), ids=ORDERED)
def test_what_may_depend_on_the_order_of_rows_is_run_over_all_orders(swept, query):
    _, pair = swept(query, WHOLE[:1])
    assert pair.ordered


@pytest.mark.parametrize(("value", "named"), [(0, True), (None, False)], ids=["a constant", "NULL"])
def test_rows_that_a_plan_holds_can_tell_values_apart(swept, value, named):
    held = Values(("a", "b"), (ValuesRow((Lit(INT, value), Lit(INT, value))),) * 2)
    _, pair = swept(SetOp("except", held, T0), WHOLE[:1])
    assert (pair.named, pair.problem) == (named, "")


def test_both_plans_have_the_rows_of_a_check(harness, swept):
    """Each database by itself, through the ordinary check, for a sample of them."""
    query = without(CONSTANT)
    full, _ = swept(query, WHOLE)
    rule = harness.catalogue.rule(WRONG.name)
    for choice in WHOLE[::13]:
        case = Case(query, Database((Table("t0", COLUMNS, EVERY.contents[choice[0]]),)))
        checked = harness.check(case, fixed([rule]), WRONG.settings({}), fast=True)
        assert (checked.verdict.name == "finding") == (choice in full), choice


def test_two_tables_have_versions_of_their_own(harness):
    """t0 EXCEPT ALL t1 over all 3,025 databases, against the answer that Python counts."""
    query, rule = SetOp("except", T0, T1, True), harness.catalogue.rule("RewriteExceptAll")
    loaded = [Database((Table("t0", COLUMNS, rows), Table("t1", COLUMNS, rows))) for rows in EVERY.contents]
    choices = databases(EVERY, 2, ordered=False, named=True)
    assert (len(choices), [row_count(EVERY, choices[place]) for place in (0, -1)]) == (3_025, [0, 4])
    with harness.spark.in_memory(loaded):
        (planned,) = plans(harness.spark, [query], Settings(), {}, wanted=[rule.rule_name], physical=False)
        pair = plan_pair(harness.spark, query, Settings(), {}, switch_off([rule.switch]))
    assert (rule.rule_name in planned.changed, planned.plan != "") == (True, True)
    found = pair.run(packed(choices), tables=2, seconds=120, most=3_025)
    assert (found.ran, found.differ, found.unrun, found.late) == (3_025, [], [], False)
    bags = {tuple(sorted(left_over(*choice), key=repr)) for choice in choices}
    assert len(found.fresh) == len(bags)


def left_over(left, right):
    rest = list(EVERY.contents[left])
    for row in EVERY.contents[right]:
        if row in rest:
            rest.remove(row)
    return rest


OVERFLOWING = Project(T0, (Item("x1", RaisingArith("+", Col("a", INT, "t0"), Lit(INT, 2**31 - 1))),))
"""It raises where a is 1."""
RAISING = {
    "one raises": (Aggregate(OVERFLOWING, (), (Item("x1", Agg("count")),)), True),
    "both raise": (OVERFLOWING, False),
}


@pytest.mark.parametrize(("query", "one_sided"), RAISING.values(), ids=RAISING)
def test_databases_over_which_a_plan_raises_are_told_and_those_where_one_alone_does(harness, query, one_sided):
    """With ColumnPruning, nobody computes what a count of rows has no use for."""
    raising = [place for place, (number,) in enumerate(WHOLE) if (1 in [row[0] for row in EVERY.contents[number]])]
    loaded = [Database((Table("t0", COLUMNS, rows),)) for rows in EVERY.contents]
    with harness.spark.in_memory(loaded):
        off = switch_off([harness.catalogue.rule("ColumnPruning").switch])
        pair = plan_pair(harness.spark, query, Settings(), {}, off)
    found = pair.run(packed(WHOLE), tables=1, seconds=60, most=100_000)
    assert found.unrun == raising != []
    assert found.one_sided == (raising if one_sided else [])
    assert found.ran == len(WHOLE) - len(raising)


def test_a_query_that_cannot_be_planned_is_told_apart(harness):
    with harness.spark.in_memory([Database((Table("t0", COLUMNS),))]):
        other = Scan("t9", COLUMNS)
        made = plans(harness.spark, [T0, other], Settings(), {}, wanted=(), physical=False)
        assert [planned is not None for planned in made] == [True, False]
        assert plan_pair(harness.spark, other, Settings(), {}, {}) is None
