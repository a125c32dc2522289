"""Plans of the proof run over known rows, in plain Python: it shares no code with the encoding that it judges."""

from __future__ import annotations

from collections import Counter
from itertools import product

from assay.proof.algebra import (
    Aggregate,
    Aggregated,
    Apply,
    Column,
    Constant,
    Counted,
    Filter,
    Join,
    OneRow,
    Project,
    Replicate,
    Table,
    Union,
    output,
)


def answer(plan, tables):
    """The bag of rows of ``plan`` over ``tables``, lists of rows by name."""
    return Counter(run(plan, tables))


def run(plan, tables):
    match plan:
        case Table(name):
            return list(tables[name])
        case OneRow():
            return [()]
        case Filter(condition, child):
            return [row for row in run(child, tables) if value(condition, named(child, row)) is True]
        case Project(items, child):
            return [tuple(value(item.expression, named(child, row)) for item in items) for row in run(child, tables)]
        case Union(several):
            return [row for each in several for row in run(each, tables)]
        case Replicate(copies, kept, values, _, child):
            made = []
            for row in run(child, tables):
                scope = named(child, row)
                cells = (*(scope[each] for each in kept), *(value(each, scope) for each in values))
                made += [cells] * max(value(copies, scope) or 0, 0)
            return made
        case Join():
            return joined(plan, run(plan.left, tables), run(plan.right, tables))
        case Aggregate(keys, items, child):
            return grouped(keys, items, child, run(child, tables))
        case Counted(kind, several):
            return counted(kind, [Counter(run(each, tables)) for each in several])
    raise AssertionError(plan)


def named(plan, row):
    """The values by their columns' ids; of two with one id, the first one."""
    return dict(zip(reversed(output(plan)), reversed(row), strict=True))


def joined(plan, left, right):
    def meets(one, other):
        scope = named(plan.left, one) | named(plan.right, other)
        return plan.condition is None or value(plan.condition, scope) is True

    partners = [[other for other in right if meets(one, other)] for one in left]
    lonely = [other for other in right if not any(meets(one, other) for one in left)]
    nothing = [(None,) * len(output(side)) for side in (plan.left, plan.right)]
    if plan.kind in ("semi", "anti"):
        return [one for one, found in zip(left, partners, strict=True) if bool(found) == (plan.kind == "semi")]
    if plan.kind == "existence":
        return [(*one, bool(found)) for one, found in zip(left, partners, strict=True)]
    rows = [one + other for one, found in zip(left, partners, strict=True) for other in found]
    if plan.kind in ("left", "full"):
        rows += [one + nothing[1] for one, found in zip(left, partners, strict=True) if not found]
    if plan.kind in ("right", "full"):
        rows += [nothing[0] + other for other in lonely]
    return rows


def grouped(keys, items, child, rows):
    groups = {} if keys else {(): []}
    for row in rows:
        groups.setdefault(tuple(value(key, named(child, row)) for key in keys), []).append(named(child, row))
    return [
        tuple(value(item.expression, scopes[0] if scopes else {}, scopes) for item in items)
        for scopes in groups.values()
    ]


def counted(kind, sides):
    left, right = sides[0], sides[1] if len(sides) > 1 else Counter()
    match kind:
        case "Distinct":
            return list(left)
        case "Except":
            return [row for row in left if row not in right]
        case "Intersect":
            return [row for row in left if row in right]
        case "ExceptAll":
            return list((left - right).elements())
        case "IntersectAll":
            return list((left & right).elements())
    raise AssertionError(kind)


def value(expression, scope, group=()):
    match expression:
        case Column(number):
            return scope[number]
        case Constant(given):
            return given
        case Aggregated():
            return aggregated(expression, group)
        case Apply(name, arguments):
            return FUNCTIONS[name](*(value(each, scope, group) for each in arguments))
    raise AssertionError(expression)


def aggregated(each, scopes):
    taken = [
        tuple(value(argument, scope) for argument in each.arguments)
        for scope in scopes
        if each.where is None or value(each.where, scope) is True
    ]
    rows = [row for row in taken if None not in row]
    if each.distinct:
        rows = list(dict.fromkeys(rows))
    if each.name == "Count":
        return len(rows)
    values = [only for (only,) in rows]
    return {"Sum": sum, "Min": min, "Max": max}[each.name](values) if values else None


def if_known(function):
    return lambda *values: None if None in values else function(*values)


def conjunction(one, other):
    return {(True, True): True}.get((one, other), False if False in (one, other) else None)


def negation(given):
    return None if given is None else not given


def among(given, *others):
    return negation(every(negation(if_known(lambda a, b: a == b)(given, other)) for other in others))


def every(values):
    result = True
    for each in values:
        result = conjunction(result, each)
    return result


def case(*parts):
    for condition, result in zip(parts[::2], parts[1::2], strict=False):
        if condition is True:
            return result
    return parts[-1] if len(parts) % 2 else None


def most(choose):
    return lambda *values: choose((each for each in values if each is not None), default=None)


FUNCTIONS = {
    "And": conjunction,
    "Or": lambda one, other: negation(conjunction(negation(one), negation(other))),
    "Not": negation,
    "EqualTo": if_known(lambda one, other: one == other),
    "EqualNullSafe": lambda one, other: one == other if None not in (one, other) else one is other,
    "LessThan": if_known(lambda one, other: one < other),
    "LessThanOrEqual": if_known(lambda one, other: one <= other),
    "GreaterThan": if_known(lambda one, other: one > other),
    "GreaterThanOrEqual": if_known(lambda one, other: one >= other),
    "IsNull": lambda given: given is None,
    "IsNotNull": lambda given: given is not None,
    "In": among,
    "Coalesce": lambda *values: next((each for each in values if each is not None), None),
    "If": case,
    "CaseWhen": case,
    "Least": most(min),
    "Greatest": most(max),
    "Cast to boolean": if_known(lambda given: given != 0),
    "Cast to number": if_known(int),
}


def bags(values, columns, most_rows):
    """All bags of at most so many rows over ``values``, as lists."""
    rows = sorted(product(values, repeat=columns), key=repr)
    found = {tuple(sorted(bag, key=repr)) for count in range(most_rows + 1) for bag in product(rows, repeat=count)}
    return [list(bag) for bag in sorted(found, key=lambda bag: (len(bag), repr(bag)))]
