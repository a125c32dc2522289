"""ReplaceAntiJoinWithNotFilter, a rule of one's own: what the optimizer leaves of an EXCEPT of a plan and the same plan
under a filter, or that anti join by hand.

It runs last, on what all other rules have left: a filter's ``IS NOT NULL`` keeps rows whose condition would be NULL, so
that only other conditions show whether it minds them. The near misses named in ``HOLES`` are those on which the rule
fails as it was first written.
"""

from __future__ import annotations

from functools import reduce

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import pick
from strategies.draw.scopes import scope
from strategies.ir import (
    COMPARE_OPS,
    DOUBLE,
    INT,
    Agg,
    Aggregate,
    Alias,
    And,
    Case,
    Col,
    Column,
    Compare,
    CompareOp,
    Database,
    Expr,
    Filter,
    IsNull,
    Item,
    Join,
    JoinKind,
    Relation,
    SetOp,
    Table,
    from_fields,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.filters import PAIR, A, B, about
from strategies.shapes.forms import Question, file_cases, over_files, over_fixed
from strategies.shapes.nulls import known_literal
from strategies.shapes.same_base import BOTH, exact_schemas, filtered_pair, null_for_some
from strategies.shapes.sides import scan

RULE = "ReplaceAntiJoinWithNotFilter"
OWN = True
HOLES = {
    "null_condition": "a row goes where c is NULL",
    "names_swapped": "c's columns are found by name",
    "one_column_twice": "what is joined by is not looked at",
    "columns_crossed": "what is joined by is not looked at",
    "one_more_condition": "what is joined by is not looked at",
}
_Pair = tuple[str, str]


def _by_hand(
    left: Relation, right: Relation, pairs: tuple[_Pair, ...], op: CompareOp = "<=>", kind: JoinKind = "anti"
) -> Join:
    """``left AS l ANTI JOIN right AS r`` where each pair of columns, left and right, compares by ``op``."""
    one, other = Alias(left, "l"), Alias(right, "r")
    columns = [{field.name: field.column() for field in side.fields} for side in (one, other)]
    compared: list[Expr] = [Compare(op, columns[0][first], columns[1][second]) for first, second in pairs]
    return Join(one, other, kind, reduce(And, compared))


def _same_names(relation: Relation) -> tuple[_Pair, ...]:
    return tuple((field.name, field.name) for field in relation.fields)


@st.composite
def _questions(draw: DrawFn) -> Question:
    schema = draw(exact_schemas())
    # No DISTINCT: a join with one, or a filter of one, goes below it.
    left, right = filtered_pair(draw, scan(schema.tables[0]), about)
    by_hand = draw(st.booleans())
    joined = _by_hand(left, right, _same_names(left)) if by_hand else SetOp("except", left, right)
    return schema, in_context(draw, schema, joined)


def fires() -> SearchStrategy[Case]:
    """``t [WHERE p] EXCEPT t WHERE c``, or the anti join that it stands for; shrinks to ``t EXCEPT t WHERE a = 0``."""
    return _cases_of(_questions())


def _cases_of(questions: SearchStrategy[Question]) -> SearchStrategy[Case]:
    """Over files: the rule runs last, when a source of the second kind has taken the filter of one side."""
    return over_files(file_cases(questions))


_A_A, _B_B = ("a", "a"), ("b", "b")


def _on_both(draw: DrawFn) -> Expr:
    return pick(draw, (about(draw, scope(BOTH.fields)), null_for_some(draw)))


def _null_condition(draw: DrawFn) -> Relation:
    right = Filter(BOTH, null_for_some(draw))
    return pick(draw, (SetOp("except", BOTH, right), _by_hand(BOTH, right, (_A_A, _B_B))))


@st.composite
def _names_swapped(draw: DrawFn) -> Question:
    """Each column has the other one's name on the right side. Filters can't go below what the greatest is taken of."""

    def greatest(key: str, value: str) -> Relation:
        return Aggregate(BOTH, (Item(key, A),), (Item(value, Agg("max", B)),))

    condition = Compare(pick(draw, COMPARE_OPS), Col("x", INT), known_literal(draw, INT))
    return PAIR, SetOp("except", greatest("x", "y"), Filter(greatest("y", "x"), condition))


def _plain_equality(draw: DrawFn) -> Relation:
    """A row with a NULL meets none, itself included."""
    return _by_hand(BOTH, Filter(BOTH, _on_both(draw)), (_A_A, _B_B), "=")


def _one_column_twice(draw: DrawFn) -> Relation:
    """Nothing is asked of the left side's other column. Where nothing is asked of one on the right, that one goes, and
    what is left is not of the rule's form.
    """
    pairs = pick(draw, ((_A_A, ("a", "b")), (_B_B, ("b", "a"))))
    return _by_hand(BOTH, Filter(BOTH, _on_both(draw)), pairs)


def _columns_crossed(draw: DrawFn) -> Relation:
    return _by_hand(BOTH, Filter(BOTH, _on_both(draw)), (("a", "b"), ("b", "a")))


def _one_more_condition(draw: DrawFn) -> Relation:
    """The join asks for more than that the rows are equal."""
    join = _by_hand(BOTH, Filter(BOTH, _on_both(draw)), (_A_A, _B_B))
    assert join.on is not None  # made with one
    return Join(join.left, join.right, "anti", And(join.on, _across(draw)))


def _across(draw: DrawFn) -> Expr:
    left, right = Col("a", INT, "l"), Col("b", INT, "r")
    return Compare(pick(draw, ("<", ">", "<>")), left, right)


def _semi(draw: DrawFn) -> Relation:
    return _by_hand(BOTH, Filter(BOTH, _on_both(draw)), (_A_A, _B_B), kind="semi")


@st.composite
def _other_relation(draw: DrawFn) -> Question:
    other = Table("t1", PAIR.tables[0].columns)
    right = Filter(scan(other), about(draw, scope(scan(other).fields)))
    return Database((*PAIR.tables, other)), _by_hand(BOTH, right, (_A_A, _B_B))


_INEXACT = Table("t0", (Column("a", DOUBLE), Column("b", INT)))


@st.composite
def _floating_condition(draw: DrawFn) -> Question:
    """The two zeros meet each other, and need not be equal to a condition."""
    base = scan(_INEXACT)
    column = Col("a", DOUBLE)
    condition = pick(draw, (Compare(pick(draw, COMPARE_OPS), column, known_literal(draw, DOUBLE)), IsNull(column)))
    return Database((_INEXACT,)), _by_hand(base, Filter(base, condition), (_A_A, _B_B))


def _both_filtered(draw: DrawFn) -> Relation:
    fields = scope(from_fields(BOTH))
    left, right = (Filter(BOTH, about(draw, fields)) for _ in range(2))
    return _by_hand(left, right, (_A_A, _B_B))


NEAR_MISSES = (
    NearMiss("null_condition", lambda: _cases_of(over_fixed(PAIR, _null_condition)), fires=True, weight=2),
    NearMiss("names_swapped", lambda: _cases_of(_names_swapped()), fires=True, weight=2),
    NearMiss("both_filtered", lambda: _cases_of(over_fixed(PAIR, _both_filtered)), fires=True),
    NearMiss("plain_equality", lambda: _cases_of(over_fixed(PAIR, _plain_equality)), fires=False),
    NearMiss("one_column_twice", lambda: _cases_of(over_fixed(PAIR, _one_column_twice)), fires=False),
    NearMiss("columns_crossed", lambda: _cases_of(over_fixed(PAIR, _columns_crossed)), fires=False),
    NearMiss("one_more_condition", lambda: _cases_of(over_fixed(PAIR, _one_more_condition)), fires=False),
    NearMiss("semi", lambda: _cases_of(over_fixed(PAIR, _semi)), fires=False),
    NearMiss("other_relation", lambda: _cases_of(_other_relation()), fires=False),
    NearMiss("floating_condition", lambda: _cases_of(_floating_condition()), fires=False),
)
