"""The encoding of plans against an interpreter, over all small databases; and planted faults in it, each noticed."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
import z3

from assay.proof import cells, prove, rows
from assay.proof.algebra import (
    Aggregate,
    Aggregated,
    Apply,
    Column,
    Constant,
    Counted,
    Filter,
    Item,
    Join,
    NotEncodable,
    OneRow,
    Project,
    Replicate,
    Table,
    Union,
    output,
)
from assay.proof.cells import Cell, known, lifted
from assay.proof.rows import Encoder, Row
from tests.unit.proof_interpreter import FUNCTIONS, answer, bags

A, B, C, D = (Column(number) for number in range(4))
NUMBERS, FLAGS = (None, 0, 1), (None, False, True)
T, U = Table("t", (0,), ("number",)), Table("u", (1,), ("number",))
WIDE = Table("t", (0, 1), ("number", "number"))
ONE, ZERO = Constant(1), Constant(0)


def apply(name, *arguments):
    return Apply(name, arguments)


def items(*expressions, first=10):
    return tuple(Item(first + place, each) for place, each in enumerate(expressions))


SAME, EQUAL, BELOW = (apply(name, A, B) for name in ("EqualNullSafe", "EqualTo", "LessThan"))
SUMMED = Aggregate((A,), items(A, Aggregated("Sum", (B,))), WIDE)
TWICE = Union((T, T))

PLANS = {
    "table": T,
    "one row": Project(items(ONE, Constant(None), Constant(True)), OneRow()),
    "filter, equal": Filter(apply("EqualTo", A, ONE), T),
    "filter, NOT": Filter(apply("Not", apply("EqualTo", A, ONE)), T),
    "filter, IS NULL": Filter(apply("IsNull", A), T),
    "filter, nothing": Filter(Constant(False), T),
    "project": Project(items(apply("Coalesce", A, ONE), apply("IsNotNull", A), A), T),
    "union": Union((T, U, T)),
    **{
        f"{kind} join, {name}": Join(kind, T, U, condition, 5)
        for kind in ("inner", "left", "right", "full", "semi", "anti", "existence")
        for name, condition in {"equal": EQUAL, "the same": SAME, "less": BELOW, "all": None}.items()
    },
    "left join over a distinct side": Join("left", Counted("Distinct", (T,)), U, EQUAL),
    "join of rows that count": Join("inner", Counted("ExceptAll", (TWICE, U)), Union((U, U)), SAME),
    "left join of rows that count": Join("left", Counted("IntersectAll", (TWICE, U)), U, BELOW),
    **{kind: Counted(kind, (T, U)) for kind in ("Except", "ExceptAll", "Intersect", "IntersectAll")},
    "ExceptAll of more rows": Counted("ExceptAll", (TWICE, U)),
    "IntersectAll of more rows": Counted("IntersectAll", (TWICE, Union((U, U, U)))),
    "Distinct": Counted("Distinct", (TWICE,)),
    "groups": Aggregate((A,), items(A), T),
    "groups by a condition": Aggregate((EQUAL,), items(apply("Not", EQUAL), Aggregated("Count", (ONE,))), WIDE),
    "sums": SUMMED,
    "sums of rows that count": Aggregate((), items(Aggregated("Sum", (A,))), Counted("ExceptAll", (TWICE, U))),
    "counts of rows that count": Aggregate((A,), items(Aggregated("Count", (A,))), Counted("ExceptAll", (TWICE, U))),
    "least and greatest": Aggregate((A,), items(Aggregated("Min", (B,)), Aggregated("Max", (B,))), WIDE),
    "one group": Aggregate((), items(*(Aggregated(name, (A,)) for name in ("Count", "Sum", "Min", "Max"))), T),
    "one group of truth values": Aggregate((), items(Aggregated("Max", (apply("IsNull", A),))), T),
    "count of rows": Aggregate((), items(Aggregated("Count", (ONE,))), T),
    "count of two columns": Aggregate((), items(Aggregated("Count", (A, B))), WIDE),
    "distinct values": Aggregate(
        (), items(Aggregated("Count", (A,), distinct=True), Aggregated("Sum", (A,), distinct=True)), TWICE
    ),
    "where": Aggregate((), items(Aggregated("Count", (B,), where=apply("EqualTo", A, ONE))), WIDE),
    "replicated": Replicate(Column(11), (), (Column(10),), (20,), SUMMED),
    "replicated, with its copies": Replicate(Column(11), (11, 10), (), (), SUMMED),
    "replicated twice": Replicate(ONE, (), (A,), (30,), Replicate(A, (), (A,), (0,), T)),
    "a column that is kept hides the generator's": Filter(
        apply("EqualTo", A, ONE), Replicate(Constant(2), (0,), (apply("Coalesce", A, ONE),), (0,), T)
    ),
    "a column that is not kept": Filter(
        apply("EqualTo", A, ONE), Replicate(Constant(2), (), (apply("Coalesce", A, ONE),), (0,), T)
    ),
}
"""Plans over t and u, of a column each, or over t of two."""


def known_tables(tables):
    return {
        name: [Row(True, tuple(Cell(each is None, 0 if each is None else each) for each in row)) for row in content]
        for name, content in tables.items()
    }


def bag_of(encoded):
    """The bag of rows without an unknown."""
    found = Counter()
    for row in encoded:
        if row.present:
            found[tuple(None if cell.null else cell.value for cell in row.cells)] += row.count
    return found


def databases(plan):
    wide = plan_is_wide(plan)
    every = bags(NUMBERS, 2 if wide else 1, 2)
    return [{"t": one, "u": other} for one, other in product(every, [[]] if wide else every)]


def plan_is_wide(plan):
    return any(len(table.output) == 2 for table in prove.tables(plan))


def wrong_when_known(plan):
    """The databases over which the encoding of ``plan`` over known rows is wrong."""
    return [
        tables for tables in databases(plan) if bag_of(Encoder(known_tables(tables)).rows(plan)) != answer(plan, tables)
    ]


def wrong_when_symbolic(plan):
    """The databases over which the encoding of ``plan`` over any two rows is wrong: their values are put in later."""
    width = 2 if plan_is_wide(plan) else 1
    given = {name: prove.symbolic(name, ("number",) * width, 2) for name in "tu"}
    encoded = Encoder(given).rows(plan)
    wrong = []
    # Every fifth one: the solver's terms are slow, and the others go the same ways through the code.
    for tables in databases(plan)[::5]:
        values = list(assigned(given, tables))

        def put_in(value, values=values):
            if known(value):
                return value
            found = z3.simplify(z3.substitute(value, *values))
            return z3.is_true(found) if z3.is_bool(found) else found.as_long()

        concrete = [
            Row(
                put_in(row.present),
                tuple(Cell(put_in(cell.null), put_in(cell.value)) for cell in row.cells),
                put_in(row.count),
            )
            for row in encoded
        ]
        if bag_of(concrete) != answer(plan, tables):
            wrong.append(tables)
    return wrong


def assigned(given, tables):
    for name, symbolic in given.items():
        for place, row in enumerate(symbolic):
            here = place < len(tables[name])
            content = tables[name][place] if here else (7,) * len(row.cells)
            yield row.present, lifted(here)
            for cell, value in zip(row.cells, content, strict=True):
                yield cell.null, lifted(value is None)
                yield cell.value, lifted(9 if value is None else value)


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_an_encoded_plan_has_the_rows_that_the_interpreter_has(plan):
    assert wrong_when_known(plan) == []
    assert wrong_when_symbolic(plan) == []


def cell(value):
    return Cell(value is None, 0 if value is None else value)


def unknown(value, name):
    """A cell of z3's own, and the values that make it ``value``."""
    kind = z3.Bool if isinstance(value, bool) else z3.Int
    made = Cell(z3.Bool(f"{name}.null"), kind(name))
    return made, [(made.null, lifted(value is None)), (made.value, lifted(5 if value is None else value))]


UNARY = ("Not", "IsNull", "IsNotNull", "Cast to boolean", "Cast to number")
OF_ANY = ("In", "Coalesce", "Least", "Greatest")
OF_FLAGS = ("And", "Or", "Not", "If", "CaseWhen", "Cast to number")


def operands(name):
    """The values that ``name`` takes."""
    if name == "If":
        return product(FLAGS, NUMBERS, NUMBERS)
    if name == "CaseWhen":
        return product(FLAGS, NUMBERS, FLAGS, NUMBERS)
    if name in ("And", "Or"):
        return product(FLAGS, FLAGS)
    values = FLAGS if name in OF_FLAGS else NUMBERS
    return product(values, repeat=1 if name in UNARY else 3 if name in OF_ANY else 2)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_expression_has_the_value_that_the_interpreter_has(name):
    for values in operands(name):
        wanted = FUNCTIONS[name](*values)
        found = cells.applied(name, [cell(value) for value in values])
        assert (None if found.null else found.value) == wanted, values


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_expression_of_unknowns_has_that_value_once_they_are_known(name):
    for values in operands(name):
        made = [unknown(value, f"x{place}") for place, value in enumerate(values)]
        # The type of a NULL is that of its neighbours.
        if name in ("And", "Or", "Not", "Cast to number") or (name in ("If", "CaseWhen")):
            flags = {place for place in range(len(values)) if takes_flag(name, place)}
            made = [
                flag_cell(value, f"x{place}") if place in flags else made[place] for place, value in enumerate(values)
            ]
        found = cells.applied(name, [each for each, _ in made])
        put_in = [pair for _, pairs in made for pair in pairs]
        null, value = (z3.simplify(z3.substitute(lifted(each), *put_in)) for each in (found.null, found.value))
        said = None if z3.is_true(null) else z3.is_true(value) if z3.is_bool(value) else value.as_long()
        assert said == FUNCTIONS[name](*values), values


def takes_flag(name, place):
    return name not in ("If", "CaseWhen") or place in {"If": (0,), "CaseWhen": (0, 2)}[name]


def flag_cell(value, name):
    made = Cell(z3.Bool(f"{name}.null"), z3.Bool(name))
    return made, [(made.null, lifted(value is None)), (made.value, lifted(value is not False))]


@pytest.mark.parametrize(("one", "other"), [*product(FLAGS, FLAGS)], ids=str)
def test_false_is_before_true(one, other):
    left, right = flag_cell(one, "x"), flag_cell(other, "y")
    found = cells.applied("LessThan", [left[0], right[0]])
    null, value = (z3.simplify(z3.substitute(each, *left[1], *right[1])) for each in (found.null, found.value))
    assert (None if z3.is_true(null) else z3.is_true(value)) == FUNCTIONS["LessThan"](one, other)


BAGS = bags(NUMBERS, 1, 2)


@pytest.mark.parametrize("left", BAGS, ids=str)
def test_bags_differ_just_where_their_counts_do(left):
    one = known_tables({"t": left})["t"]
    found = [right for right in BAGS if rows.differ(one, known_tables({"t": right})["t"])]
    assert found == [right for right in BAGS if Counter(right) != Counter(left)]


def test_an_expression_that_is_not_known_is_not_encodable():
    with pytest.raises(NotEncodable, match="expression Rand"):
        cells.applied("Rand", [])


def test_a_column_of_nowhere_is_not_encodable():
    with pytest.raises(NotEncodable, match="the input doesn't have"):
        Encoder(known_tables({"t": [(1,)]})).rows(Filter(apply("IsNull", C), T))


def test_an_aggregate_function_outside_of_an_aggregate_is_not_encodable():
    with pytest.raises(NotEncodable, match="Sum outside"):
        Encoder(known_tables({"t": [(1,)]})).rows(Project(items(Aggregated("Sum", (A,))), T))


def set_semantics(kind, sides):
    return REAL_COUNTED({"ExceptAll": "Except", "IntersectAll": "Intersect"}.get(kind, kind), sides)


def by_equality(left, right):
    return cells.both(*(cells.holds(cells.applied("EqualTo", pair)) for pair in zip(left, right, strict=True)))


def without_where(self, each, *rest):
    return REAL_FUNCTION(self, Aggregated(each.name, each.arguments, each.distinct), *rest)


def never_null(self, *given):
    return Cell(False, REAL_FUNCTION(self, *given).value)


REAL_COUNTED, REAL_FUNCTION = rows._counted, Encoder._function
FAULTS = {
    "EXCEPT ALL without counts": (rows, "_counted", set_semantics),
    "a filter that keeps NULL": (rows, "holds", lambda cell: cells.either(cell.null, cell.value)),
    "an outer join without the rows that match nothing": (rows, "_alone", lambda row, *_: Row(False, row.cells)),
    "an outer join with all rows once more": (rows, "_alone", lambda row, _, cells: Row(row.present, cells)),
    "groups by equality": (rows, "all_alike", by_equality),
    "joins that forget counts": (
        rows,
        "_paired",
        lambda one, other: Row(cells.both(one.present, other.present), (*one.cells, *other.cells)),
    ),
    "aggregates without their filter": (Encoder, "_function", without_where),
    "a sum of nothing that is no NULL": (Encoder, "_function", never_null),
}


@pytest.mark.parametrize(("place", "name", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_planted_fault_of_the_operators_is_noticed(place, name, fault, monkeypatch):
    monkeypatch.setattr(place, name, fault)
    assert any(wrong_when_known(plan) for plan in PLANS.values())


WRONG_EXPRESSIONS = {
    "= for <=>": ("EqualNullSafe", "EqualTo"),
    "<=> for =": ("EqualTo", "EqualNullSafe"),
    "<= for <": ("LessThan", "LessThanOrEqual"),
    "IS NOT NULL for IS NULL": ("IsNull", "IsNotNull"),
}


@pytest.mark.parametrize(("name", "instead"), WRONG_EXPRESSIONS.values(), ids=WRONG_EXPRESSIONS)
def test_a_planted_fault_of_the_expressions_is_noticed(name, instead, monkeypatch):
    monkeypatch.setitem(cells._APPLY, name, cells._APPLY[instead])
    assert any(wrong_when_known(plan) for plan in PLANS.values())


def test_every_operator_is_among_the_plans():
    seen = set()

    def look(plan):
        seen.add(type(plan))
        for below in rows.algebra.inputs(plan):
            look(below)

    for plan in PLANS.values():
        look(plan)
        assert output(plan)
    assert seen == set(rows.algebra.Plan.__args__)
