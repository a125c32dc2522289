"""Draw conditions on ranks: the first rows of each group, as users ask for them."""

from __future__ import annotations

from hypothesis.strategies import DrawFn

from strategies.draw.draws import one_in, pick
from strategies.draw.exprs import predicates
from strategies.draw.operands import Fields
from strategies.draw.scopes import scope
from strategies.ir import (
    INTEGERS,
    And,
    Compare,
    CompareOp,
    Expr,
    Lit,
    Or,
    Ranking,
    Relation,
    Window,
    referable,
)

UPPER_BOUNDS: tuple[CompareOp, ...] = ("<=", "=", "<")


def ranks(child: Relation) -> Fields:
    """The whole-numbered ranks that ``child`` computes, if it is a window, with those of windows right below it."""
    names: set[str] = set()
    below = child
    while isinstance(below, Window):
        names |= {column.name for column in below.columns if isinstance(column.function, Ranking)}
        below = below.child
    fields = scope(child.fields)
    known = referable(fields)
    made = fields[len(below.fields) :] if below is not child else ()
    return tuple(field for field in made if field in known and field.name in names and field.type in INTEGERS)


def among_the_first(draw: DrawFn, ranks: Fields, ops: tuple[CompareOp, ...] = UPPER_BOUNDS) -> Expr:
    """A bound by one of ``ops`` for one of ``ranks``, half of the time for the first row; one time in three beside
    another condition on one of them.
    """
    rank, op = pick(draw, ranks), pick(draw, ops)
    bound = Compare(op, rank.column(), Lit(rank.type, pick(draw, (1, 2, 1, 3)) + (op == "<")))
    return pick(draw, (And, Or))(bound, draw(predicates(ranks, depth=0))) if one_in(draw, 3) else bound
