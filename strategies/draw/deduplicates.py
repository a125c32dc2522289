"""Draw dropDuplicates()."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from strategies.draw.draws import pick
from strategies.draw.exprs import expressions, kinds
from strategies.draw.items import named
from strategies.draw.scopes import scope
from strategies.ir import Deduplicate, Distinct, Project, Relation, referable


def deduplicated(draw: DrawFn, child: Relation) -> Relation:
    """One row for each value of some columns of ``child``, beside values that these determine, or each row once."""
    names = [field.name for field in child.fields]
    if not draw(st.booleans()) and len(set(names)) == len(names):
        return Deduplicate(child, tuple(names))
    fields = scope(child.fields)
    columns = referable(fields)
    if not columns:
        return Distinct(child)
    keys = tuple(dict.fromkeys(pick(draw, columns) for _ in range(pick(draw, (1, 2)))))
    rest = [draw(expressions(keys, pick(draw, kinds(keys)), depth=1)) for _ in range(pick(draw, (1, 0, 2)))]
    items = named(draw, fields, (*(key.column() for key in keys), *rest))
    return Deduplicate(Project(child, items), tuple(item.name for item in items[: len(keys)]))
