"""RewriteIntersectAll: every INTERSECT ALL."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import cases_of
from strategies.draw.tables import schemas
from strategies.ir import Case, Database, Relation, SetOp
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.data import DOUBLES, NEARLY_EMPTY, NULL_ROWS, chain, counted, widened
from strategies.shapes.forms import any_form
from strategies.shapes.sides import sides

RULE = "RewriteIntersectAll"


@st.composite
def _questions(draw: DrawFn) -> tuple[Database, Relation]:
    schema = draw(schemas())
    return schema, in_context(draw, schema, SetOp("intersect", *sides(draw, schema), all=True))


def fires() -> SearchStrategy[Case]:
    """``L INTERSECT ALL R`` over tables of one family; shrinks to two bare scans."""
    return cases_of(_questions(), forms_of=any_form)


NEAR_MISSES = (
    NearMiss("all_counts", lambda: counted("intersect", keeps_all=True), fires=True),
    NearMiss("null_rows", lambda: counted("intersect", keeps_all=True, rows=NULL_ROWS), fires=True),
    NearMiss("one_or_none", lambda: counted("intersect", keeps_all=True, counts=NEARLY_EMPTY), fires=True),
    NearMiss("nan_and_zeros", lambda: counted("intersect", keeps_all=True, columns=DOUBLES), fires=True),
    NearMiss("widened_types", lambda: widened("intersect", keeps_all=True), fires=True),
    NearMiss("chain", lambda: chain("intersect", keeps_all=True), fires=True),
    NearMiss("without_all", lambda: counted("intersect", keeps_all=False), fires=False),
)
