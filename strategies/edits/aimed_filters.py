"""Draw filters for an aim: by conditions that rows have met below, and about columns that are computed there."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.operands import Fields
from strategies.draw.ranks import UPPER_BOUNDS, among_the_first, ranks
from strategies.draw.scopes import scope
from strategies.draw.simple_conditions import LIKELY_OPS
from strategies.draw.stacked import made_fields
from strategies.edits.aim import Aim
from strategies.edits.aimed_expressions import aimed_condition
from strategies.ir import (
    INTEGERS,
    Alias,
    Col,
    Compare,
    Database,
    Expr,
    Field,
    Filter,
    IsNull,
    Lit,
    Outer,
    Relation,
    Subquery,
    Window,
    columns_of,
    from_fields,
    referable,
    substitute,
    walk,
)


def aimed_filter(draw: DrawFn, schema: Database, child: Relation, aim: Aim) -> Relation:
    """A filter, two times in three by the rank of a row, if ``child`` computes one. Else one time in two by a condition
    of a filter below, if there is one, or by a test for NULL of a column that it is about: rules compare conditions
    with those that rows have met. Else two times in three by another column that ``child`` computes.
    """
    if (found := ranks(child)) and not one_in(draw, 3):
        ops = aim.comparisons if aim.comparisons and one_in(draw, 4) else UPPER_BOUNDS
        return Filter(child, among_the_first(draw, found, ops))
    if (met := met_below(child)) and one_in(draw, 2):
        condition = pick(draw, met)
        asked = list(columns_of(condition))
        return Filter(child, IsNull(pick(draw, asked), negated=True) if asked and one_in(draw, 4) else condition)
    if (made := computed_fields(child)) and not one_in(draw, 3):
        return Filter(child, _about(draw, made, aim))
    return Filter(child, aimed_condition(draw, scope(from_fields(child)), aim))


def met_below(child: Relation) -> tuple[Expr, ...]:
    """The conditions of filters below, about the columns of ``child`` that have the same names and types."""
    fields = referable(scope(from_fields(child)))
    found: list[Expr] = []
    for node in walk(child):
        # The columns of a table expression have its name, whatever the others are called.
        below, own = (node.child, node.name) if isinstance(node, Alias) else (node, None)
        if not isinstance(below, Filter) or any(isinstance(part, (Subquery, Outer)) for part in walk(below.condition)):
            continue
        known = _by_name(tuple(field for field in fields if own is None or field.qualifier == own))
        if all((field := known.get(c.name)) is not None and field.type == c.type for c in columns_of(below.condition)):
            found.append(substitute(below.condition, _columns_of(known)))
    return tuple(dict.fromkeys(found))


def _columns_of(known: Mapping[str, Field]) -> Callable[[Col], Expr]:
    return lambda column: known[column.name].column()


def _by_name(fields: Fields) -> dict[str, Field]:
    """The fields by name, those with a name of their own alone."""
    names = [field.name for field in fields]
    return {field.name: field for field in fields if names.count(field.name) == 1}


def computed_fields(child: Relation) -> Fields:
    """The fields that ``child`` computes, and those that the windows right below it compute, if it is a window."""
    below = child
    while isinstance(below, Window):
        below = below.child
    if below is child:
        return made_fields(child)
    fields = scope(child.fields)
    return tuple(field for field in fields[len(below.fields) :] if field in referable(fields))


def _about(draw: DrawFn, made: Fields, aim: Aim) -> Expr:
    """A condition on one of ``made``: half of the time an aimed one, if the aim has expressions; else two times in
    three a bound of a number, of a rank or a count.
    """
    if (aim.expressions or aim.functions) and one_in(draw, 2):
        return aimed_condition(draw, made, aim)
    numbers = [field for field in made if field.type in INTEGERS]
    if not numbers or one_in(draw, 3):
        return draw(predicates(made, depth=0))
    number = pick(draw, numbers)
    return Compare(pick(draw, aim.comparisons or LIKELY_OPS), number.column(), Lit(number.type, pick(draw, (1, 2, 3))))
