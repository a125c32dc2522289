"""ReplaceExceptWithAntiJoin: an EXCEPT whose sides are not one plan and its filtered self, which another rule takes."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import cases_of
from strategies.draw.queries import scope
from strategies.draw.tables import schemas
from strategies.ir import Case, Database, Filter, Relation, SetOp
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_predicates
from strategies.shapes.context import in_context
from strategies.shapes.data import ALIKE_ROWS, DOUBLES, NEARLY_EMPTY, NULL_ROWS, counted, widened
from strategies.shapes.forms import any_form, from_files
from strategies.shapes.sides import scan, sides

RULE = "ReplaceExceptWithAntiJoin"


@st.composite
def _questions(draw: DrawFn) -> tuple[Database, Relation]:
    schema = draw(schemas())
    return schema, in_context(draw, schema, SetOp("except", *sides(draw, schema)))


def fires() -> SearchStrategy[Case]:
    """``L EXCEPT R`` over tables of one family; shrinks to two bare scans."""
    return cases_of(_questions(), forms_of=any_form)


@st.composite
def _filtered_self(draw: DrawFn) -> tuple[Database, Relation]:
    schema = draw(schemas(max_tables=1))
    left = scan(schema.tables[0])
    return schema, SetOp("except", left, Filter(left, draw(plain_predicates(scope(left.fields), depth=1))))


NEAR_MISSES = (
    NearMiss(
        "alike_in_one_column",
        lambda: counted("except", keeps_all=False, rows=ALIKE_ROWS, counts=NEARLY_EMPTY),
        fires=True,
        weight=3,
    ),
    NearMiss("null_rows_on_both_sides", lambda: counted("except", keeps_all=False, rows=NULL_ROWS), fires=True),
    NearMiss("nan_and_zeros", lambda: counted("except", keeps_all=False, columns=DOUBLES), fires=True),
    NearMiss("widened_types", lambda: widened("except", keeps_all=False), fires=True),
    NearMiss("filtered_self", lambda: from_files(cases_of(_filtered_self(), forms_of=any_form)), fires=False),
    NearMiss("except_all", lambda: counted("except", keeps_all=True), fires=False),
    NearMiss("intersect", lambda: counted("intersect", keeps_all=False), fires=False),
)
