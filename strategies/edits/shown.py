"""Show the value of a filter's condition: the rows of a filter are the same whether that is FALSE or NULL."""

from __future__ import annotations

from strategies.draw.cases import FormsOf, sql_only
from strategies.draw.scopes import free_names, scope
from strategies.edits.edits import Edited
from strategies.edits.places import node_at, relation_places
from strategies.ir import Case, Filter, Item, Project, from_fields, referable, subqueries_of


def shown(case: Case, *, forms_of: FormsOf = sql_only) -> Case | None:
    """The columns of the input of the uppermost filter of ``case``, and the filter's condition as one more; None
    without such a filter.

    Filters with subqueries are left out, as are those that refer to the query around: as a value such a condition is
    another one.

    :param forms_of: the forms in which a query can run, as for :func:`strategies.draw.cases.cases`.
    """
    for place in relation_places(case.query):
        found = node_at(case.query, place)
        if isinstance(found, Filter) and next(subqueries_of(found.condition), None) is None:
            return Edited(case, (), forms_of).with_query(_value_of(found))
    return None


def _value_of(found: Filter) -> Project:
    fields = scope(from_fields(found.child))
    known = [Item(field.name, field.column()) for field in referable(fields)]
    distinct = [item for at, item in enumerate(known) if item.name not in {other.name for other in known[:at]}]
    return Project(found.child, (*distinct, Item(free_names(fields)[0], found.condition)))
