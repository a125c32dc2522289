"""Each kind of reduction takes something away, and leaves it where the failure needs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from oracles.reductions.constants import rank
from oracles.reductions.reducer import reduce
from oracles.reductions.size import cost, simple_values
from strategies import ir
from strategies.draw.planner_conf import GROUPS
from strategies.ir import (
    BIGINT,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    LANGUAGES,
    STRING,
    Agg,
    Aggregate,
    Arith,
    Array,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Filter,
    Generate,
    Item,
    Join,
    Language,
    Lit,
    MakeArray,
    MakeMap,
    MapRead,
    Project,
    Relation,
    Row,
    Scan,
    SetOp,
    Settings,
    SqlType,
    Struct,
    Table,
    Typed,
    TypedCount,
    TypedFilter,
    TypedMap,
    UserCall,
    Value,
    operators,
    scans,
    walk,
)
from tests.unit.wrong_operators import ABC, DATABASE, FAR_FROM_DEFAULT, T0, T1, T2, A, B, S, number, over, united

Fails = Callable[[Case], bool]
TYPES = (
    *ir.ATOMIC.values(),
    Decimal(5, 2),
    Decimal(4, 0),
    Decimal(3, 3),
    Array(INT),
    Struct((("p", INT), ("q", STRING))),
)


def reduced(case: Case, fails: Fails) -> Case:
    assert fails(case)
    return reduce(case, fails, deadline_seconds=1e9).case


def case_of(query: Relation, **rows: tuple[Row, ...]) -> Case:
    """``query`` over its tables, each with the rows of that name, or those of the big database."""
    columns = {scan.table: scan.columns for scan in scans(query)}
    known = {table.name: table.rows for table in DATABASE.tables} | rows
    return Case(query, Database(tuple(Table(name, columns[name], known[name]) for name in columns)))


def kinds(query: Relation) -> set[str]:
    return {type(node).__name__ for node in walk(query)}


def cells(case: Case) -> list[Value]:
    return [value for table in case.database.tables for row in table.rows for value in row]


def constants(case: Case) -> list[Value]:
    return [node.value for node in walk(case.query) if isinstance(node, Lit)]


# settings


def test_needed_setting_stays_alone() -> None:
    case = Case(T0, DATABASE, FAR_FROM_DEFAULT)
    assert reduced(case, lambda case: case.settings.aqe).settings == Settings(aqe=True)


BLOOM_FILTERS = Settings(**GROUPS["bloom filters"].settings)


def test_of_a_group_only_the_needed_entries_stay() -> None:
    needed = BLOOM_FILTERS.conf[1]
    found = reduced(Case(T0, DATABASE, BLOOM_FILTERS), lambda case: needed in case.settings.conf)
    assert found.settings == Settings(conf=(needed,))


@pytest.mark.parametrize("name", GROUPS)
def test_a_group_goes_if_it_is_not_needed(name: str) -> None:
    case = Case(T0, DATABASE, Settings(**GROUPS[name].settings))
    assert reduced(case, lambda case: bool(scans(case.query))).settings == Settings()


def test_of_the_capabilities_only_the_needed_one_stays() -> None:
    case = Case(T0, DATABASE, Settings("v2", capabilities=("columns", "filters", "identity", "splits")))
    found = reduced(case, lambda case: case.settings.source == "v2" and "identity" in case.settings.capabilities)
    assert found.settings == Settings("v2", capabilities=("identity",))


@pytest.mark.parametrize("setting", ["table_partitions", "partitions"])
def test_of_several_partitions_two_stay_if_one_is_too_few(setting: str) -> None:
    case = Case(T0, DATABASE, Settings(partitions=4, table_partitions=4))
    found = reduced(case, lambda case: getattr(case.settings, setting) > 1)
    assert found.settings == replace(Settings(), **{setting: 2})


# operators and tables


def test_table_that_is_not_scanned_goes() -> None:
    """Even where nothing else can."""
    case = reduced(Case(T0, DATABASE), lambda case: case.database.table("t0").rows[5:] != ())
    assert [table.name for table in case.database.tables] == ["t0"]


def scanned(case: Case) -> set[str]:
    return {scan.table for scan in scans(case.query)}


@pytest.mark.parametrize(
    ("needed", "smallest"),
    [
        pytest.param({"Distinct", "Join"}, 2, id="two-operators-far-apart"),
        pytest.param({"Distinct", "Join", "SetOp", "Filter"}, 4, id="four-operators"),
        pytest.param({"CaseWhen"}, 1, id="an-expression"),
        pytest.param({"Coalesce", "InList"}, 2, id="expressions-of-two-operators"),
    ],
)
def test_only_the_needed_nodes_stay(needed: set[str], smallest: int) -> None:
    query = united(over(Join(over(T0, 70), T2, "semi", Compare("=", A, Col("k", INT))), 80))
    case = reduced(case_of(query), lambda case: needed <= kinds(case.query))
    assert operators(case.query) == smallest
    assert case.database.row_count == 0


def _calls(case: Case) -> list[UserCall]:
    return [node for node in walk(case.query) if isinstance(node, UserCall)]


def test_a_call_of_a_user_defined_function_becomes_its_meaning() -> None:
    call = UserCall("python", "add", (A, UserCall("scala", "add", (A, A))))
    case = case_of(Project(T0, (Item("x", call),)))
    assert _calls(reduced(case, lambda case: "TryArith" in kinds(case.query) or bool(_calls(case)))) == []


@pytest.mark.parametrize(("needed", "left"), [(LANGUAGES, "scala"), (("python",), "python")], ids=["any", "python"])
def test_of_needed_calls_one_stays_and_in_scala_if_that_will_do(needed: tuple[Language, ...], left: Language) -> None:
    call = UserCall("python", "add", (A, UserCall("python", "add", (A, A))))
    case = case_of(Project(T0, (Item("x", call),)))
    least = reduced(case, lambda case: any(call.language in needed for call in _calls(case)))
    assert [call.language for call in _calls(least)] == [left]


def test_a_map_that_is_needed_keeps_one_key() -> None:
    made = MakeMap((Lit(INT, 1), Lit(INT, 2)), (A, Lit(INT, 5)))
    case = case_of(Project(T0, (Item("x", MapRead(made, Lit(INT, 2))),)))
    least = reduced(case, lambda case: "MakeMap" in kinds(case.query))
    assert [len(node.keys) for node in walk(least.query) if isinstance(node, MakeMap)] == [1]
    assert "MakeMap" not in kinds(reduced(case, lambda case: True).query)


def _tables(case: Case) -> list[bool]:
    return [node.in_python for node in walk(case.query) if isinstance(node, Generate)]


@pytest.mark.parametrize(("needed", "left"), [((False, True), False), ((True,), True)], ids=["any", "python"])
def test_a_table_function_of_the_engine_replaces_one_in_python_if_that_will_do(
    needed: tuple[bool, ...], left: bool
) -> None:
    made = Generate(T0, MakeArray(INT, (A,)), "z", "p", outer=True, in_python=True)
    again = Generate(made, MakeArray(INT, (A,)), "y", in_python=True)
    least = reduced(case_of(again), lambda case: any(each in needed for each in _tables(case)))
    assert _tables(least) == [left]


_TYPED = TypedMap(TypedFilter(T0, "a", "is_even"), "a", "zero_if_null")


def _typed(case: Case) -> list[str]:
    return [type(node).__name__ for node in walk(case.query) if isinstance(node, Typed)]


def test_an_operation_of_a_typed_dataset_becomes_its_meaning() -> None:
    least = reduced(case_of(_TYPED), lambda case: bool({"Remainder", "TypedFilter"} & kinds(case.query)))
    assert _typed(least) == []
    assert "Remainder" in kinds(least.query)


@pytest.mark.parametrize("kind", ["TypedFilter", "TypedMap", "TypedCount"])
def test_of_needed_operations_one_stays(kind: str) -> None:
    query = TypedCount(TypedMap(_TYPED, "a", "null_if_negative"), "a", "n")
    least = reduced(case_of(Project(query, (Item("x", Col("n", BIGINT)),))), lambda case: kind in _typed(case))
    assert _typed(least) == [kind]
    assert operators(least.query) == 1


def test_a_map_becomes_the_identity_of_an_earlier_column() -> None:
    least = reduced(case_of(TypedMap(T0, "a", "zero_if_null")), lambda case: "TypedMap" in _typed(case))
    assert isinstance(least.query, TypedMap)
    assert least.query.function == "same"


def test_both_sides_change_together_where_they_must_be_alike() -> None:
    """As for a filter over the very relation that it is taken away from."""
    query = SetOp("except", over(T0, 3), Filter(over(T0, 3), Compare("=", B, B)))
    case = reduced(case_of(query), lambda case: is_filtered_self(case.query))
    scan = case.query.left
    assert case.query == SetOp("except", scan, Filter(scan, Lit(BOOLEAN, True)))
    assert scan == Scan("t0", (Column("s", INT),))


def is_filtered_self(query: Relation) -> bool:
    return isinstance(query, SetOp) and isinstance(query.right, Filter) and query.right.child == query.left


# rows


@pytest.mark.parametrize(
    ("surplus", "before", "after"),
    [
        pytest.param(0, (3, 3), (1, 1), id="as-many"),
        pytest.param(1, (4, 3), (1, 0), id="one-more-left"),
        pytest.param(-1, (2, 3), (0, 1), id="one-more-right"),
    ],
)
def test_one_copy_of_each_table_can_go_with_the_other(
    surplus: int, before: tuple[int, int], after: tuple[int, int]
) -> None:
    """No copy of these can go alone."""

    def fails(case: Case) -> bool:
        left, right = counts(case)
        return left - right == surplus and left + right > 0

    row = (7, 3, "x")
    case = case_of(SetOp("except", T0, T1, all=True), t0=(row,) * before[0], t1=(row,) * before[1])
    assert counts(reduced(case, lambda case: scanned(case) == {"t0", "t1"} and fails(case))) == after


def counts(case: Case) -> tuple[int, ...]:
    return tuple(len(table.rows) for table in case.database.tables)


# columns


def test_column_goes_with_what_is_made_of_it_on_both_sides_of_a_set_operator() -> None:
    left = Project(T0, (Item("x", Arith("+", A, B)), Item("s", S)))
    case = reduced(case_of(SetOp("union", left, Project(T1, (Item("b", B), Item("s", S))), all=True)), needs_projects)
    assert {len(table.columns) for table in case.database.tables} == {1}
    assert len(case.query.fields) == 1


def needs_projects(case: Case) -> bool:
    return isinstance(case.query, SetOp) and {type(case.query.left), type(case.query.right)} == {Project}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        pytest.param(Project(T0, (Item("b", B),)), Project(T0, (Item("a", A),)), id="other-columns-of-one-table"),
        pytest.param(Aggregate(T0, (), (Item("n", Agg("count")),)), Scan("t", ABC[:1]), id="aggregate-of-nothing"),
        pytest.param(Project(T2, (Item("v", Col("v", INT)),)), Project(T0, (Item("b", B),)), id="two-tables"),
    ],
)
def test_sides_of_a_set_operator_become_tables(left: Relation, right: Relation) -> None:
    case = reduced(case_of(SetOp("except", left, right), t=((1,),)), lambda case: "SetOp" in kinds(case.query))
    assert operators(case.query) == 1


# constants, types and names


def test_null_that_matters_stays_alone() -> None:
    case = reduced(case_of(T0), lambda case: None in cells(case))
    assert cells(case) == [None]


def test_null_that_does_not_matter_goes() -> None:
    case = reduced(case_of(T0), lambda case: len(cells(case)) >= 18)
    assert None not in cells(case)


def test_equal_values_stay_equal_in_cells_and_constants() -> None:
    query = Filter(Scan("t", ABC[:1]), Compare("=", A, number(77)))
    case = case_of(query, t=((77,), (78,)))
    small = reduced(case, lambda case: cells(case)[:1] == constants(case) != cells(case)[1:])
    assert (cells(small), constants(small)) == ([0], [0])


def is_ascending(case: Case) -> bool:
    """The first cell, the constant, the second cell."""
    return cells(case)[:1] < constants(case) < cells(case)[1:]


def test_order_of_values_can_stay() -> None:
    query = Filter(Scan("t", ABC[:1]), Compare("<", A, number(500)))
    case = case_of(query, t=((-70,), (2**31 - 1,)))
    small = reduced(case, lambda case: "Compare" in kinds(case.query) and is_ascending(case))
    assert (cells(small), constants(small)) == ([0, 2], [1])


@pytest.mark.parametrize("kind", TYPES, ids=ir.type_text)
def test_simple_values_are_values_of_their_type_and_ascend(kind: SqlType) -> None:
    values = simple_values(kind)
    assert [Lit(kind, value).value for value in values] == list(values)
    assert [cost(kind, value) for value in values] == list(range(len(values)))


@pytest.mark.parametrize("kind", TYPES, ids=ir.type_text)
def test_null_is_the_last_of_values(kind: SqlType) -> None:
    assert cost(kind, None) > max(cost(kind, value) for value in simple_values(kind))


@pytest.mark.parametrize("kind", TYPES, ids=ir.type_text)
def test_simple_values_are_in_the_order_of_their_type(kind: SqlType) -> None:
    values = simple_values(kind)
    assert sorted(values, key=lambda value: rank(kind, value)) == list(values)


def test_nan_ranks_last_and_decimals_by_value() -> None:
    doubles, decimals = ["nan", "inf", (1.5).hex(), "-inf"], ["9.00", "10.00", "-1.00"]
    assert sorted(doubles, key=lambda value: rank(DOUBLE, value)) == ["-inf", (1.5).hex(), "inf", "nan"]
    assert sorted(decimals, key=lambda value: rank(Decimal(5, 2), value)) == ["-1.00", "9.00", "10.00"]


def test_types_become_int_in_columns_and_constants() -> None:
    day = Column("day", DATE)
    query = Filter(Scan("t", (day,)), Compare("<", Col("day", DATE), Lit(DATE, "2024-02-29")))
    case = case_of(query, t=(("1582-10-15",), ("9999-12-31",)))
    small = reduced(case, lambda case: "Compare" in kinds(case.query) and is_ascending(case))
    assert (cells(small), constants(small)) == ([0, 2], [1])


def test_needed_type_stays() -> None:
    case = reduced(case_of(T0), lambda case: any(field.type == STRING for field in case.query.fields))
    assert [field.type for field in case.query.fields] == [STRING]


REUSED = Project(T0, (Item("a", Arith("+", A, B)), Item("b", B)))


def test_name_of_another_column_goes() -> None:
    case = reduced(case_of(REUSED), lambda case: "Arith" in kinds(case.query))
    assert [field.name for field in case.query.fields] == ["x1"]


def test_name_of_another_column_stays_where_it_matters() -> None:
    case = reduced(case_of(REUSED), lambda case: "Arith" in kinds(case.query) and case.query.fields[0].name == "a")
    assert [field.name for field in case.query.fields] == ["a"]
