"""Shape of ExtractPythonUDTFs: rows that a table function in Python makes of the elements of an array."""

from __future__ import annotations

from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.draws import one_in, pick
from strategies.draw.operands import columns
from strategies.draw.scopes import scope
from strategies.ir import (
    COMPARE_OPS,
    INT,
    PYTHON_ELEMENTS,
    Array,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Expr,
    Filter,
    Generate,
    IsNull,
    Item,
    Lit,
    MakeArray,
    Project,
    Relation,
    Table,
)
from strategies.shapes import NearMiss
from strategies.shapes.context import in_context
from strategies.shapes.forms import file_cases, over_fixed, over_tables, sql_alone
from strategies.shapes.sides import scan, source

RULE = "ExtractPythonUDTFs"


def _query(draw: DrawFn, schema: Database) -> Relation:
    child = source(draw, schema)
    known = columns(scope(child.fields))
    plain = [column for column in known if column.type in PYTHON_ELEMENTS]
    arrays = [column for column in known if isinstance(column.type, Array) and column.type.element in PYTHON_ELEMENTS]
    array = _array(draw, pick(draw, [*plain, *arrays, *arrays] or [Lit(INT, 0)]))
    return in_context(draw, schema, _made(child, array, positions=one_in(draw, 3), outer=one_in(draw, 2)))


def _array(draw: DrawFn, value: Expr) -> Expr:
    """``value``, or an array of it; shrinks to one element."""
    # Drawn in any case, so that nothing takes fewer choices than the form to shrink to.
    elements = pick(draw, ((value,), (value, value), (Lit(value.type, None), value)))
    return value if isinstance(value.type, Array) else MakeArray(value.type, elements)


def _made(child: Relation, array: Expr, *, positions: bool = False, outer: bool = False) -> Generate:
    return Generate(child, array, "e", "p" if positions else None, outer, in_python=True)


def fires() -> SearchStrategy[Case]:
    """The elements of an array column, or of one or two values; shrinks to
    ``SELECT * FROM t0, LATERAL python_elements_int(array(a), false) AS g(e)``.
    """
    return file_cases(over_tables(_query), forms_of=sql_alone)


# Near misses, over a table with an array.

_LISTS = Database((Table("t0", (Column("a", INT), Column("b", Array(INT)))),))
_SCAN = scan(_LISTS.tables[0])
_A, _B, _E, _P = Col("a", INT), Col("b", Array(INT)), Col("e", INT), Col("p", INT)


def _without_elements(draw: DrawFn) -> Relation:
    """A row whose array is empty or NULL, which goes, or is kept with NULLs."""
    array = pick(draw, (_B, _B, Lit(Array(INT), ()), Lit(Array(INT), None)))
    return _made(_SCAN, array, positions=one_in(draw, 2), outer=not one_in(draw, 3))


def _alike(draw: DrawFn) -> Relation:
    """Elements that are equal, in rows that may be equal."""
    return _made(_SCAN, MakeArray(INT, pick(draw, ((_A, _A), (Lit(INT, 1), Lit(INT, 1))))))


def _nulls(draw: DrawFn) -> Relation:
    """Elements that are NULL."""
    array = MakeArray(INT, pick(draw, ((_A, Lit(INT, None)), (Lit(INT, None),))))
    return _made(_SCAN, array, positions=one_in(draw, 2))


def _few_columns(draw: DrawFn) -> Relation:
    """A column of the function alone, or one of the rows below: its copies are as many as the elements."""
    made = _made(_SCAN, _B, positions=True, outer=one_in(draw, 2))
    return Project(made, (Item("x", pick(draw, (_E, _P, _A))),))


def _filtered(draw: DrawFn) -> Relation:
    """A condition on the element or its position, which stays above, or on a column below."""
    made = _made(_SCAN, _B, positions=True, outer=one_in(draw, 2))
    if one_in(draw, 4):
        return Filter(made, IsNull(_E))
    return Filter(made, Compare(pick(draw, COMPARE_OPS), pick(draw, (_E, _P, _A)), Lit(INT, pick(draw, (0, 1)))))


def _of_elements(draw: DrawFn) -> Relation:
    """A function of what another one made."""
    return Generate(_made(_SCAN, _B), MakeArray(INT, (_E, _A)), "f", outer=one_in(draw, 2), in_python=True)


def _of_the_engine(draw: DrawFn) -> Relation:
    return Generate(_SCAN, _B, "e", pick(draw, (None, "p")), one_in(draw, 2))


NEAR_MISSES = (
    NearMiss(
        "without_elements",
        lambda: file_cases(over_fixed(_LISTS, _without_elements), forms_of=sql_alone),
        fires=True,
        weight=2,
    ),
    NearMiss("alike", lambda: file_cases(over_fixed(_LISTS, _alike), forms_of=sql_alone), fires=True, weight=2),
    NearMiss("nulls", lambda: file_cases(over_fixed(_LISTS, _nulls), forms_of=sql_alone), fires=True),
    NearMiss("few_columns", lambda: file_cases(over_fixed(_LISTS, _few_columns), forms_of=sql_alone), fires=True),
    NearMiss("filtered", lambda: file_cases(over_fixed(_LISTS, _filtered), forms_of=sql_alone), fires=True),
    NearMiss("of_elements", lambda: file_cases(over_fixed(_LISTS, _of_elements), forms_of=sql_alone), fires=True),
    NearMiss("of_the_engine", lambda: file_cases(over_fixed(_LISTS, _of_the_engine)), fires=False),
)
