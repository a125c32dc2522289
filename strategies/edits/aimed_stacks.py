"""Choose the operators that an aim asks for, and put them over a relation, one over the other."""

from __future__ import annotations

from functools import lru_cache

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.ranks import ranks
from strategies.draw.stacked import made_fields
from strategies.edits.aim import Aim
from strategies.edits.aimed_filters import aimed_filter, met_below
from strategies.edits.aimed_joins import JOINS
from strategies.edits.aimed_operators import OPERATORS, Operator
from strategies.ir import Database, Filter, Relation, operators

_OF_MANY_RULES = frozenset({"Filter", "Project", "Aggregate", "Join"})
"""The operators that many rules mention, whatever they are about."""
_OF_EXPRESSIONS = ("Project", "Project", "Filter", "Filter", "Aggregate", "Join")
"""The operators for an aim's expressions. In a select list a wrong value shows in each row."""


@lru_cache(maxsize=64)
def _asked(aim: Aim) -> tuple[tuple[Operator, ...], ...]:
    """The operators that ``aim`` names, and those for its expressions, if it has any; one time in four, if it has just
    comparisons, types and constants, which a rule may mention about the operators.
    """
    inside = bool(aim.expressions or aim.functions)
    beside = bool(aim.comparisons or aim.types or aim.constants)
    named = tuple(OPERATORS[name] for name in named_operators(aim))
    others = tuple(OPERATORS[name] for name in _OF_EXPRESSIONS)
    pools = (*[named] * (1 if inside else 3), *([others] if inside or beside else []))
    return tuple(pool for pool in pools if pool)


def named_operators(aim: Aim) -> tuple[str, ...]:
    """The names of the operators that ``aim`` asks for; those of which it names parts, and those that few rules name,
    more often.
    """
    parts = {"Join": 2 * bool(aim.joins), "Aggregate": bool(aim.aggregates), "Window": 2 * bool(aim.ranks)}
    own = (name for name in aim.operators if name not in _OF_MANY_RULES)
    joins = (name for name in aim.operators if name in JOINS for _ in range(3))  # for the configuration that is read
    return (*aim.operators, *own, *joins, *(name for name, times in parts.items() for _ in range(times)))


def has_operators(aim: Aim) -> bool:
    """Whether :func:`stacked` has operators for ``aim``."""
    return bool(_asked(aim))


def stacked(draw: DrawFn, schema: Database, child: Relation, aim: Aim, count: int, most: int) -> Relation:
    """``child`` below ``count`` of the aim's operators, one over the other, while there are at most ``most``.

    One in four of those that stand over another one is of the same kind. Half of the others are of a kind that ``aim``
    names and that is not among them yet, while there is one: rules look at operators that meet.
    """
    waiting = [name for name in dict.fromkeys(aim.operators) if name in OPERATORS]
    new, operator = child, None
    for place in range(count):
        if operator is None or not one_in(draw, 4):
            others = place and waiting and one_in(draw, 2)
            operator = OPERATORS[pick(draw, waiting)] if others else _operator_over(draw, new, aim)
        waiting = [name for name in waiting if OPERATORS[name] is not operator]
        below, new = new, operator(draw, schema, new, aim)
        if place and operators(new) > most:
            return below
    return aimed_filter(draw, schema, new, aim) if _is_to_be_filtered(draw, new, aim) else new


def _is_to_be_filtered(draw: DrawFn, child: Relation, aim: Aim) -> bool:
    """Whether a filter is to stand over ``child``: one time in two, if the aim has filters, and ``child`` computes
    columns, or a filter is further below; three times in four, if it computes ranks.
    """
    if "Filter" not in aim.operators or isinstance(child, Filter):
        return False
    if ranks(child):
        return not one_in(draw, 4)
    return bool(made_fields(child) or met_below(child)) and one_in(draw, 2)


def _operator_over(draw: DrawFn, child: Relation, aim: Aim) -> Operator:
    """The operator to put over ``child`` next: as often one that ``aim`` names as one for its expressions, unless
    there is to be a filter.
    """
    if _is_to_be_filtered(draw, child, aim):
        return aimed_filter
    return pick(draw, pick(draw, _asked(aim)))
