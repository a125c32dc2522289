"""Entries of the rules about typed Datasets: objects, and the expressions that make them of rows, and rows of them."""

from __future__ import annotations

from oracles.rules.rule import OPERATOR_OPTIMIZATION, OPTIMIZER, Rule

_BATCH = "Object Expressions Optimization"


def _of_objects(name: str, law: str, *conditions: str, batch: str = _BATCH, unshaped: str = "") -> Rule:
    return Rule(
        name=name,
        rule_name=OPTIMIZER + name,
        batch=batch,
        switch=None,
        law=law,
        conditions=conditions,
        unshaped=unshaped,
    )


OBJECTS: tuple[Rule, ...] = (
    _of_objects(
        "EliminateSerialization",
        "map(g, map(f, D)) = objects of f handed to g, and so a filter or the keys of groups above a map, and a map "
        "above a filter",
        "the objects that are made are of the class that is taken",
        "a filter above a map is of the new values, and one below it of the old ones",
        "nothing that takes rows stands between them",
        batch=OPERATOR_OPTIMIZATION,
    ),
    _of_objects(
        "CombineTypedFilters",
        "filter(g, filter(f, D)) = filter(f and g, D)",
        "both take objects of one class",
        "a row is left only if both functions say so",
    ),
    _of_objects(
        "ObjectSerializerPruning",
        "columns of the rows that are made of objects = the same, of rows without the columns that nothing reads",
        "each column that is read has its own value, wherever it stands in a row",
        "a struct of which only fields are read has these alone; NULL has none, and stays NULL",
        "a struct that is read as a whole stays whole",
    ),
    _of_objects(
        "EliminateMapObjects",
        "an array of which each element becomes itself = the array",
        "no element may be NULL, and the object is a primitive array",
    ),
    _of_objects(
        "ReassignLambdaVariableID",
        "variables of functions of elements in objects under other numbers",
        unshaped="no answer shows the numbers of variables",
    ),
)
