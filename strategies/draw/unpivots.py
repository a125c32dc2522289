"""Draw UNPIVOT: columns of one type as rows."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.bounds import MAX_JOINED_ROWS, most_rows
from strategies.draw.draws import one_in, pick
from strategies.draw.grouping import pivot
from strategies.draw.scopes import free_names
from strategies.ir import Col, Pivot, Relation, Unpivot


def unpivoted(draw: DrawFn, child: Relation) -> Unpivot | None:
    """``child`` with one to three columns of one type as rows; None if it has a name twice, or too many rows."""
    fields = child.fields
    if len({field.name.casefold() for field in fields}) < len(fields) or most_rows(child) * 3 > MAX_JOINED_ROWS:
        return None
    kind = pick(draw, fields).type
    alike = [Col(field.name, kind) for field in fields if field.type == kind]
    columns = tuple(dict.fromkeys(pick(draw, alike) for _ in range(pick(draw, (2, 3, 1)))))
    name, value, *_ = free_names(tuple(field for field in fields if Col(field.name, field.type) not in columns))
    return Unpivot(child, columns, name, value, one_in(draw, 2))


def pivoted(draw: DrawFn, child: Relation) -> Pivot | Unpivot:
    """``child`` with values of a column as columns, or with columns as rows."""
    return (unpivoted(draw, child) if one_in(draw, 2) else None) or pivot(draw, child)


@st.composite
def _unpivots(draw: DrawFn, child: Relation) -> Unpivot:
    made = unpivoted(draw, child)
    assert made is not None  # as the caller promises
    return made


def unpivots(child: Relation) -> SearchStrategy[Unpivot]:
    """UNPIVOTs of ``child``, which has no name twice; shrinks to one of a column alone, without NULLs."""
    return _unpivots(child)
