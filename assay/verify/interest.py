"""The queries of a stage, those first that have the operators that a rule's class names."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from assay.verify.bound import Part, Stage
from assay.verify.vocabulary import CENTS
from strategies.ir import (
    DOUBLE,
    STRING,
    Aggregate,
    AnyLimit,
    Distinct,
    Filter,
    Generate,
    GroupingSets,
    Join,
    Limit,
    Node,
    Project,
    Relation,
    SetOp,
    SqlType,
    Subquery,
    Values,
    Window,
    With,
    walk,
)

_OPERATORS: dict[type[Node], str] = {
    Aggregate: "Aggregate",
    AnyLimit: "Limit",
    Distinct: "Distinct",
    Filter: "Filter",
    Generate: "Generate",
    GroupingSets: "Aggregate",
    Join: "Join",
    Limit: "Limit",
    Project: "Project",
    Subquery: "Subquery",
    Values: "LocalRelation",
    Window: "Window",
    With: "WithCTE",
}
_SET_OPERATORS = {"union": "Union", "except": "Except", "intersect": "Intersect"}
OPERATORS = frozenset({*_OPERATORS.values(), *_SET_OPERATORS.values()})
"""The operators that queries of the grammar have."""
_OTHER_NAMES = {
    "GlobalLimit": "Limit",
    "LocalLimit": "Limit",
    "Offset": "Limit",
    "Sort": "Limit",
    "Expand": "Aggregate",
    "Correlated": "Subquery",
    "Exists": "Subquery",
    "Subquer": "Subquery",
    "Predicate": "Filter",
    "Projection": "Project",
    "CTE": "WithCTE",
}
"""The grammar's operators by the names that Spark's classes mention, and by parts of rules' names."""
_OF_EXPRESSIONS = frozenset({"Aggregate", "Project"})
"""Classes that rewrite expressions mention these alone, wherever the expressions are."""
_LARGEST = 5
"""The greatest level that is put in order as a whole, an operator weighing two: larger ones are too many to hold."""


def operators_of(query: Relation) -> frozenset[str]:
    """The operators of ``query``; ``count(*)`` of a limit is the limit, and a UNION without ALL is a DISTINCT, too."""
    found: set[str] = set()
    for node in walk(query):
        if isinstance(node, SetOp):
            found.update([_SET_OPERATORS[node.kind]], () if node.all or node.kind != "union" else ["Distinct"])
        elif not (isinstance(node, Aggregate) and isinstance(node.child, AnyLimit)):
            found.update(name for kind, name in _OPERATORS.items() if isinstance(node, kind))
    return frozenset(found)


def named_operators(rule: str, mentioned: Iterable[str]) -> frozenset[str]:
    """The operators of queries that a rule is about: those that its class has ``mentioned``, and those in its name.

    CombineUnions reaches a Union by a pattern that its class does not mention. None for a rule that rewrites
    expressions, which is about any operator.
    """
    in_name = {name for name in (*OPERATORS, *_OTHER_NAMES) if name in rule}
    own = {_OTHER_NAMES.get(name, name) for name in in_name}
    found = OPERATORS & {*own, *(_OTHER_NAMES.get(name, name) for name in mentioned)}
    return frozenset() if found <= _OF_EXPRESSIONS and not own else found


_TYPES: dict[str, SqlType] = {"Decimal": CENTS, "Floating": DOUBLE, "Like": STRING, "Concat": STRING}
"""The types that a rule is about by a part of its name."""


def named_types(rule: str) -> frozenset[SqlType]:
    """The types that ``rule`` is about by its name, if any."""
    return frozenset(kind for part, kind in _TYPES.items() if part in rule)


def passing(named: Collection[str]) -> frozenset[str]:
    """The operators that queries of ``named`` ones may have, too.

    A projection may stand between them. So may a filter for a rule about constant rows, because one that is never true
    makes a table empty, and for a rule about subqueries, which it holds. Subqueries, EXCEPT and INTERSECT
    become joins. A common table expression is read by a join or UNION ALL, and may have any operator that keeps rows.
    """
    wanted = {*named}
    of_filters = {"LocalRelation", "Subquery"} & wanted
    return frozenset(
        {
            "Project",
            *(["Filter"] if of_filters else []),
            *(["Subquery", "Except", "Intersect"] if "Join" in wanted else []),
            *(["Union", "Join", "Filter", "Limit"] if "WithCTE" in wanted else []),
        }
    )


def of_part(queries: Iterable[Relation], part: Part, named: Collection[str]) -> Iterator[Relation]:
    """Those of ``queries`` that have ``named`` operators, and no others but those that may stand between, or the rest,
    or all.
    """
    among = {*named, *passing(named)}
    for query in queries:
        found = operators_of(query) if part != "all" else frozenset()
        if part == "all" or (bool(found & {*named}) and found <= among) == (part == "named"):
            yield query


def in_order(queries: Iterable[Relation], stage: Stage, named: Collection[str]) -> Iterator[Relation]:
    """The queries of ``stage`` among all of its level, those with the most of the ``named`` operators first."""
    wanted, level = frozenset(named), stage.level
    found = of_part(queries, stage.part, wanted)
    if not wanted or (stage.part != "named" and 2 * level.operators + level.parts > _LARGEST):
        yield from found
        return
    yield from sorted(found, key=lambda query: -len(operators_of(query) & wanted))
