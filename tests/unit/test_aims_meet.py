"""Aims at parts that rules look at together: a condition and one that rows have met, two changes, two values."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from strategies.draw.cases import cases
from strategies.edits.aim import Aim
from strategies.edits.aims import aimed_cases
from strategies.ir import (
    BOOLEAN,
    DOUBLE,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    Arith,
    Call,
    Case,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Compare,
    CteScan,
    Decimal,
    Distinct,
    Filter,
    Generate,
    IsNull,
    Join,
    JoinKind,
    Limit,
    Lit,
    Node,
    Project,
    Relation,
    RowNumbers,
    ScalarSubquery,
    Scan,
    SetOp,
    Struct,
    TryCast,
    Window,
    With,
    WithField,
    WithoutField,
    children,
    columns_of,
    transform,
    walk,
    without_random,
)
from tests.unit.strategy_asserts import drawn, find_any


def _without_qualifiers(condition: Node) -> Node:
    return transform(condition, lambda node: Col(node.name, node.kind) if isinstance(node, Col) else node)


def test_a_filter_may_ask_again_what_a_filter_below_a_union_asks() -> None:
    def asks_twice(case: Case) -> bool:
        query = case.query
        if not (isinstance(query, Filter) and isinstance(query.child, SetOp)):
            return False
        below = [node.condition for node in walk(query.child) if isinstance(node, Filter)]
        return _without_qualifiers(query.condition) in map(_without_qualifiers, below)

    find_any(aimed_cases(cases(), Aim(operators=("Filter", "Union"))), asks_twice)


@pytest.mark.parametrize("kind", ["inner", "left"])
def test_a_filter_asks_what_rows_of_a_side_of_a_join_have_met(kind: JoinKind) -> None:
    """Of an outer join, rows that it pads have not met that."""

    def asks_again(case: Case) -> bool:
        query = case.query
        if not isinstance(query, Filter) or not isinstance(query.child, Join) or query.child.kind != kind:
            return False
        sides = (side.child for side in (query.child.left, query.child.right) if isinstance(side, Alias))
        met = [_without_qualifiers(side.condition) for side in sides if isinstance(side, Filter)]
        return _without_qualifiers(query.condition) in met

    find_any(aimed_cases(cases(), Aim(operators=("Filter", "Join"), joins=(kind,))), asks_again)


def test_a_filter_tests_for_null_what_rows_have_met_a_condition_about() -> None:
    def tests_column(case: Case) -> bool:
        match case.query:
            case Filter(Filter(_, below), IsNull(Col() as column, True)):
                return column in columns_of(below) and below != case.query.condition
        return False

    find_any(aimed_cases(cases(), Aim(operators=("Filter",))), tests_column)


BRANCHES: dict[str, tuple[Aim, Callable[[Node], bool]]] = {
    "one condition twice": (
        Aim(expressions=("CaseWhen",)),
        lambda node: (
            isinstance(node, CaseWhen) and len({each.condition for each in node.branches}) == 1 < len(node.branches)
        ),
    ),
    "NULL for TRUE, and FALSE else": (
        Aim(expressions=("If",), constants=(True, False)),
        lambda node: (
            isinstance(node, Call)
            and node.function == "if"
            and node.arguments[1:] == (Lit(BOOLEAN, None), Lit(BOOLEAN, False))
        ),
    ),
}


@pytest.mark.parametrize(("aim", "holds"), BRANCHES.values(), ids=BRANCHES)
def test_branches_that_rules_simplify_are_drawn(aim: Aim, holds: Callable[[Node], bool]) -> None:
    find_any(aimed_cases(cases(), aim), lambda case: any(map(holds, walk(case.query))))


def test_a_common_table_expression_that_stays_is_read_twice_with_filters() -> None:
    def is_filtered_twice(case: Case) -> bool:
        return any(
            isinstance(node, With)
            and without_random(node.definition) != node.definition
            and isinstance(node.body, SetOp)
            and all(isinstance(side, Filter) for side in (node.body.left, node.body.right))
            for node in walk(case.query)
        )

    find_any(aimed_cases(cases(), Aim(operators=("With",))), is_filtered_twice)


def test_two_values_of_filtered_relations_stand_in_one_list() -> None:
    def has_two(case: Case) -> bool:
        query = case.query
        values = [item.value for item in query.items] if isinstance(query, Project) else []
        rows = [
            value.query.child
            for value in values
            if isinstance(value, ScalarSubquery) and isinstance(value.query, Aggregate)
        ]
        return sum(isinstance(each, Filter) for each in rows) > 1

    find_any(aimed_cases(cases(), Aim(operators=("ScalarSubquery",))), has_two)


def test_an_aim_at_data_sources_has_tables_in_one_that_accepts_parts() -> None:
    found = drawn(aimed_cases(cases(), Aim(operators=("Aggregate",), accepting=True)), count=200)
    accepting = [case for case in found if case.settings.source == "v2" and case.settings.capabilities]
    assert len(accepting) > 0.3 * len(found)


Change = WithField | WithoutField
CHAINS: dict[str, Callable[[Change, Change], bool]] = {
    "a set field dropped": lambda above, below: (
        isinstance(above, WithoutField) and isinstance(below, WithField) and above.name == below.name
    ),
    "a field set twice": lambda above, below: (
        isinstance(above, WithField) and isinstance(below, WithField) and above.name == below.name
    ),
    "both fields set": lambda above, below: (
        isinstance(above, WithField) and isinstance(below, WithField) and {above.name, below.name} == {"p", "q"}
    ),
}


def changes_of_changed(query: Relation) -> Iterator[tuple[Change, Change]]:
    """The changes of structs that a projection right below changes, each with that change."""
    for node in walk(query):
        if isinstance(node, (Filter, Project)) and isinstance(node.child, Project):
            below = {item.name: item.value for item in node.child.items}
            for part in (part for child in children(node) if child is not node.child for part in walk(child)):
                if isinstance(part, (WithField, WithoutField)) and isinstance(part.operand, Col):
                    changed = below.get(part.operand.name)
                    if isinstance(changed, (WithField, WithoutField)):
                        yield part, changed


@pytest.mark.parametrize("is_chain", CHAINS.values(), ids=CHAINS)
def test_two_changes_of_fields_meet_in_two_select_lists(is_chain: Callable[[Change, Change], bool]) -> None:
    """The analyzer joins changes in one."""
    aim = Aim(expressions=("WithField", "WithoutField"), types=(Struct((("p", INT), ("q", STRING))),))
    found = aimed_cases(cases(), aim)
    find_any(found, lambda case: any(is_chain(*changes) for changes in changes_of_changed(case.query)), within=3_000)


@pytest.mark.parametrize("kind", [Aggregate, Distinct], ids=["groups", "distinct rows"])
def test_an_operator_may_stand_over_another_of_its_kind(kind: type[Aggregate] | type[Distinct]) -> None:
    aim = Aim(operators=(kind.__name__, "Filter", "Project"))
    found = drawn(aimed_cases(cases(), aim), count=400)
    meeting = [
        case
        for case in found
        if any(isinstance(node, kind) and isinstance(node.child, kind) for node in walk(case.query))
    ]
    assert len(meeting) > 4


def test_casts_to_decimals_meet() -> None:
    """The one below rounds."""

    def rounds_below(node: Node) -> bool:
        kinds = [each.type for each in (node, getattr(node, "operand", None)) if isinstance(each, (Cast, TryCast))]
        first = getattr(getattr(node, "operand", None), "operand", None)
        scales = [kind.scale for kind in (*kinds, getattr(first, "type", None)) if isinstance(kind, Decimal)]
        return len(scales) == 3 and scales[0] > scales[1] < scales[2]

    aim = Aim(expressions=("Cast",), types=(Decimal(9, 2), Decimal(18, 4), Decimal(28, 6)))
    found = drawn(aimed_cases(cases(), aim), count=400)
    assert sum(any(map(rounds_below, walk(case.query))) for case in found) > 4


def _over_a_join(kind: JoinKind) -> Callable[[Node], bool]:
    return lambda node: isinstance(node, Join) and node.kind == kind and _is_union(node.left)


def _is_union(side: Relation) -> bool:
    return isinstance(side, Alias) and isinstance(side.child, SetOp) and side.child.kind == "union"


def _distinct_functions(node: Node) -> list[Agg]:
    results = node.aggregates if isinstance(node, Aggregate) else ()
    return [item.value for item in results if isinstance(item.value, Agg) and item.value.distinct]


def _is_upper_bound(condition: Node) -> bool:
    return isinstance(condition, Compare) and condition.op in ("<=", "=", "<") and isinstance(condition.right, Lit)


MEETING: dict[str, tuple[Aim, Callable[[Node], bool]]] = {
    "two operators that the aim names": (
        Aim(operators=("Generate", "Distinct")),
        lambda node: isinstance(node, Distinct) and isinstance(node.child, Generate),
    ),
    "a right join of a union": (Aim(operators=("JoinOfUnion",), joins=("right",)), _over_a_join("right")),
    "a join of a union of sets": (
        Aim(operators=("JoinOfUnion",)),
        lambda node: isinstance(node, Join) and _is_union(node.left) and not node.left.child.all,
    ),
    "distinct values of two functions": (
        Aim(operators=("Aggregate",)),
        lambda node: len(_distinct_functions(node)) > 1,
    ),
    "an upper bound of a rank": (
        Aim(operators=("Window", "Filter"), ranks=("rank",)),
        lambda node: isinstance(node, Filter) and isinstance(node.child, Window) and _is_upper_bound(node.condition),
    ),
    "a branch of a union with a filter": (
        Aim(operators=("Union", "Filter")),
        lambda node: isinstance(node, SetOp) and isinstance(node.left, Filter) and not isinstance(node.right, Filter),
    ),
    "first rows by chance in a common table expression": (
        Aim(operators=("With",)),
        lambda node: isinstance(node, With) and isinstance(node.definition, Limit) and _is_by_chance(node.definition),
    ),
    "numbered rows of a common table expression": (
        Aim(operators=("With",)),
        lambda node: isinstance(node, With) and isinstance(node.definition, RowNumbers),
    ),
    "two columns of one type of a common table expression": (
        Aim(operators=("With",)),
        lambda node: (
            isinstance(node, Project)
            and isinstance(node.child, Filter)
            and isinstance(node.child.child, CteScan)
            and len(node.fields) == 2
            and node.fields[0].type == node.fields[1].type
        ),
    ),
    "an aggregate of nothing": (
        Aim(operators=("Values", "Aggregate")),
        lambda node: (
            isinstance(node, Aggregate)
            and not node.keys
            and isinstance(node.child, Filter)
            and node.child.condition == Lit(BOOLEAN, False)
        ),
    ),
    "the first rows by a cast": (
        Aim(operators=("Sort",), expressions=("Cast",)),
        lambda node: isinstance(node, Limit) and isinstance(node.order[0].value, Cast),
    ),
    "a sum of arithmetic": (
        Aim(operators=("Aggregate",), expressions=("Arith",), aggregates=("sum",)),
        lambda node: isinstance(node, Agg) and node.function == "sum" and isinstance(node.operand, Arith),
    ),
    "a list of arithmetic over a column of doubles": (
        Aim(expressions=("Add",), types=(DOUBLE,)),
        lambda node: (
            isinstance(node, Project)
            and isinstance(node.child, Scan)
            and any(isinstance(item.value, Arith) and item.value.type == DOUBLE for item in node.items)
        ),
    ),
    "a window by what is computed": (
        Aim(operators=("Window",), expressions=("Coalesce",)),
        lambda node: isinstance(node, Window) and any(isinstance(key, Coalesce) for key in node.partition),
    ),
    "a comparison of a CASE of constants": (
        Aim(expressions=("If",)),
        lambda node: isinstance(node, Compare) and isinstance(node.left, CaseWhen) and isinstance(node.right, Lit),
    ),
    "a struct of which all fields are set": (
        Aim(expressions=("WithField",), types=(Struct((("p", INT), ("q", STRING))),)),
        lambda node: (
            isinstance(node, WithField)
            and isinstance(node.operand, WithField)
            and [node.operand.name, node.name] == ["p", "q"]
        ),
    ),
}


def _is_by_chance(relation: Relation) -> bool:
    return without_random(relation) != relation


@pytest.mark.parametrize(("aim", "holds"), MEETING.values(), ids=MEETING)
def test_parts_that_a_rule_looks_at_together_are_drawn_together(aim: Aim, holds: Callable[[Node], bool]) -> None:
    """One in 150 queries has them, at the least: a rule has 3,000."""
    found = drawn(aimed_cases(cases(), aim), count=300)
    assert sum(any(map(holds, walk(case.query))) for case in found) >= 2


def test_a_rule_about_values_in_a_variant_gets_tables_in_one() -> None:
    found = drawn(aimed_cases(cases(), Aim(operators=("Aggregate",), in_variant=True)), count=100)
    assert sum(case.settings.source == "variant" for case in found) > 30
