"""ReplaceIntersectWithSemiJoin: every INTERSECT."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import cases_of
from strategies.draw.tables import schemas
from strategies.ir import Case, Database, Relation, SetOp
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.data import ALIKE_ROWS, DOUBLES, NEARLY_EMPTY, NULL_ROWS, counted, widened
from strategies.shapes.forms import any_form
from strategies.shapes.sides import sides

RULE = "ReplaceIntersectWithSemiJoin"


@st.composite
def _questions(draw: DrawFn) -> tuple[Database, Relation]:
    schema = draw(schemas())
    return schema, in_context(draw, schema, SetOp("intersect", *sides(draw, schema)))


def fires() -> SearchStrategy[Case]:
    """``L INTERSECT R`` over tables of one family; shrinks to two bare scans."""
    return cases_of(_questions(), forms_of=any_form)


NEAR_MISSES = (
    NearMiss(
        "alike_in_one_column",
        lambda: counted("intersect", keeps_all=False, rows=ALIKE_ROWS, counts=NEARLY_EMPTY),
        fires=True,
        weight=3,
    ),
    NearMiss("null_rows_on_both_sides", lambda: counted("intersect", keeps_all=False, rows=NULL_ROWS), fires=True),
    NearMiss("nan_and_zeros", lambda: counted("intersect", keeps_all=False, columns=DOUBLES), fires=True),
    NearMiss("widened_types", lambda: widened("intersect", keeps_all=False), fires=True),
    NearMiss("intersect_all", lambda: counted("intersect", keeps_all=True), fires=False),
    NearMiss("except", lambda: counted("except", keeps_all=False), fires=False),
)
