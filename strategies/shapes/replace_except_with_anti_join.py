"""ReplaceExceptWithAntiJoin: an EXCEPT whose sides are not one plan and its filtered self, which another rule takes."""

from __future__ import annotations

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.queries import scope
from strategies.ir import Case, Database, Filter, Relation, SetOp
from strategies.shapes import NearMiss
from strategies.shapes.conditions import plain_predicates
from strategies.shapes.data import counted, misses_without_all, set_operators
from strategies.shapes.forms import file_cases, over_one_table
from strategies.shapes.sides import scan

RULE = "ReplaceExceptWithAntiJoin"


def _filtered_self(draw: DrawFn, schema: Database) -> Relation:
    left = scan(schema.tables[0])
    return SetOp("except", left, Filter(left, draw(plain_predicates(scope(left.fields), depth=1))))


def fires() -> SearchStrategy[Case]:
    """``L EXCEPT R`` over tables of one family; shrinks to two bare scans."""
    return set_operators("except", keeps_all=False)


NEAR_MISSES = (
    *misses_without_all("except"),
    NearMiss("filtered_self", lambda: file_cases(over_one_table(_filtered_self)), fires=False),
    NearMiss("except_all", lambda: counted("except", keeps_all=True), fires=False),
    NearMiss("intersect", lambda: counted("intersect", keeps_all=False), fires=False),
)
