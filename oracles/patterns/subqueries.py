"""Patterns of cases with subqueries or LATERAL that a known divergence may excuse."""

from __future__ import annotations

from collections.abc import Iterator

from oracles.patterns.order import has_constant
from oracles.patterns.texts import text_with_in_as_a_value
from oracles.patterns.zeros import is_floating
from strategies.ir import (
    BOOLEAN,
    DATE,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Agg,
    Aggregate,
    Alias,
    And,
    Case,
    Cast,
    Col,
    Compare,
    CteScan,
    Deduplicate,
    Distinct,
    Exists,
    Expr,
    Filter,
    GroupingSets,
    InSubquery,
    Join,
    Lateral,
    Limit,
    Lit,
    Node,
    Not,
    OneRow,
    Or,
    Outer,
    Pivot,
    Project,
    Relation,
    ScalarSubquery,
    SetOp,
    TryCast,
    Window,
    With,
    children,
    columns_of,
    conjuncts,
    from_fields,
    outers_of,
    resolve,
    subqueries_of,
    walk,
)


def in_subquery_as_a_value(case: Case) -> bool:
    """An IN over a subquery that is used as a value: anywhere but at the root of a condition, below AND and OR, and
    right below NOT. NOT IN also is one in a join's condition, and beside an outer column, because Spark makes a join's
    condition of it.
    """
    return text_with_in_as_a_value(case) or any(True for node in walk(case.query) for _ in in_subquery_values(node))


def in_subquery_values(node: Node) -> Iterator[InSubquery]:
    """The INs that are used as values in the expressions of ``node`` itself."""
    match node:
        case Filter(condition=condition):
            yield from _below_root(condition)
            for part in conjuncts(condition):
                if any(True for _ in outers_of(part)):
                    yield from _negated(part)
        case Join(on=Expr() as on) | Lateral(on=Expr() as on):
            yield from (*_below_root(on), *_negated(on))
        case Aggregate(having=Expr() as having) | GroupingSets(having=Expr() as having):
            yield from _below_root(having)
        case Agg(where=where):
            for child in children(node):
                yield from _below_root(child) if child is where else _ins(child)
        case Expr():
            pass  # the relation or aggregate around it is responsible
        case _:
            for child in children(node):
                if isinstance(child, Expr):
                    yield from _ins(child)


def in_above_a_grand_total(case: Case) -> bool:
    """An IN over a subquery in a select list above an aggregate or pivot without keys."""
    return any(grand_total_below(node) is not None and any(True for _ in _ins(node)) for node in walk(case.query))


def grand_total_below(node: Node) -> Aggregate | Pivot | None:
    """The aggregate or pivot without keys of which ``node`` is a projection, perhaps of other projections."""
    if not isinstance(node, Project):
        return None
    below = node.child
    while isinstance(below, Project | Alias):
        below = below.child
    return below if isinstance(below, Aggregate | Pivot) and not below.keys else None


def is_joined(node: Node, part: Expr) -> bool:
    """Whether ``part``, a condition of ``node``, is a join's condition, or becomes one."""
    return isinstance(node, Join) or (isinstance(node, Filter) and any(True for _ in outers_of(part)))


def _ins(expression: Node) -> Iterator[InSubquery]:
    return (subquery for subquery in subqueries_of(expression) if isinstance(subquery, InSubquery))


def _negated(condition: Node) -> Iterator[InSubquery]:
    below = {part for above in walk(condition) if isinstance(above, Not) for part in subqueries_of(above)}
    return (part for part in _ins(condition) if part.negated or part in below)


def _below_root(expression: Node) -> Iterator[InSubquery]:
    match expression:
        case And(left=left, right=right) | Or(left=left, right=right):
            yield from (*_below_root(left), *_below_root(right))
        case Not(operand=InSubquery(negated=False) as found) | (InSubquery() as found):
            for operand in found.operands:
                yield from _ins(operand)
        case _:
            yield from _ins(expression)


def full_join_on_in_below_an_anti_join(case: Case) -> bool:
    """An anti join with a full join on its left side whose ON has an IN over a subquery."""
    return any(
        isinstance(node, Join)
        and node.kind == "anti"
        and any(
            isinstance(below, Join) and below.kind == "full" and below.on and any(_ins(below.on))
            for below in walk(node.left)
        )
        for node in walk(case.query)
    )


def subquery_beside_an_outer_column(case: Case) -> bool:
    """An EXISTS or IN with a filter in it that has an outer column and a subquery in one conjunct."""
    return any(
        isinstance(inside, Filter) and any(map(_is_mixed, conjuncts(inside.condition)))
        for node in walk(case.query)
        if isinstance(node, (Exists, InSubquery))
        for inside in _own_relations(node.query)
    )


def _own_relations(query: Relation) -> Iterator[Relation]:
    yield query
    for child in children(query, apart_from=query.closed):
        if isinstance(child, Relation):
            yield from _own_relations(child)


def _is_mixed(condition: Expr) -> bool:
    subqueries = (s for s in subqueries_of(condition) if isinstance(s, (Exists, InSubquery)) or s.outer)
    return any(True for _ in outers_of(condition)) and any(True for _ in subqueries)


def outer_column_below_a_set_operator(case: Case) -> bool:
    """A subquery with a set operator in it that has an outer column in one of its sides."""
    return any(
        isinstance(inside, SetOp) and any(isinstance(part, Outer) for part in walk(inside))
        for node in walk(case.query)
        if isinstance(node, (Exists, InSubquery, ScalarSubquery))
        for inside in walk(node.query)
    )


def outer_column_below_a_set_operator_of_doubles(case: Case) -> bool:
    """A subquery or LATERAL with EXCEPT or INTERSECT of doubles in it that has an outer column in one of its sides."""
    inner = [node.right for node in walk(case.query) if isinstance(node, Lateral)]
    inner += [s.query for s in walk(case.query) if isinstance(s, (Exists, InSubquery, ScalarSubquery))]
    return any(
        isinstance(inside, SetOp)
        and inside.kind != "union"
        and any(is_floating(field.type) for field in inside.fields)
        and any(isinstance(part, Outer) for part in walk(inside))
        for query in inner
        for inside in walk(query)
    )


def projected_subquery_and_a_union(case: Case) -> bool:
    """A subquery in a projection, or in a window, whose keys and arguments Spark projects first, and a UNION, or an
    operator that is rewritten to one (EXCEPT ALL, INTERSECT ALL).
    """
    nodes = list(walk(case.query))
    return any(isinstance(node, SetOp) and (node.kind == "union" or node.all) for node in nodes) and any(
        any(True for _ in subqueries_of(part))
        for node in nodes
        if isinstance(node, (Project, Window))
        for part in (node.items if isinstance(node, Project) else (*node.columns, *node.partition, *node.order))
    )


def projected_cte(case: Case) -> bool:
    """A common table expression that is read below a projection."""
    return any(
        isinstance(node, Project) and any(isinstance(inside, CteScan) for inside in walk(node.child))
        for node in walk(case.query)
    )


def projected_subquery_and_groups(case: Case) -> bool:
    """IN over an uncorrelated subquery in a projection, and an aggregate, or an operator that becomes one (distinct
    rows). EXISTS and a correlated IN are another bug, mended in 3.5.3 (SPARK-49819).
    """
    nodes = list(walk(case.query))
    return any(map(_groups, nodes)) and any(
        isinstance(part, InSubquery) and not part.outer
        for node in nodes
        if isinstance(node, Project)
        for item in node.items
        for part in subqueries_of(item.value)
    )


def _groups(node: Node) -> bool:
    if isinstance(node, SetOp):
        return node.kind != "union" or not node.all
    return isinstance(node, (Aggregate, Deduplicate, Distinct, GroupingSets))


def subquery_as_a_join_condition(case: Case) -> bool:
    """A join whose ON has EXISTS or IN over a subquery."""
    return _joins_by_a_subquery(case.query)


def _joins_by_a_subquery(root: Relation) -> bool:
    return any(
        isinstance(part, (Exists, InSubquery))
        for node in walk(root)
        if isinstance(node, Join) and node.on is not None
        for part in subqueries_of(node.on)
    )


def exists_beside_a_constant_column_in_a_join_condition(case: Case) -> bool:
    """A correlated EXISTS in a join's ON, with a select list below the join that has a value without a column."""
    return _has_correlated_beside_a_constant(case, Exists)


def in_beside_a_constant_column_in_a_join_condition(case: Case) -> bool:
    """A correlated IN in a join's ON, with a select list below the join that has a value without a column."""
    return _has_correlated_beside_a_constant(case, InSubquery)


def _has_correlated_beside_a_constant(case: Case, kind: type[Exists | InSubquery]) -> bool:
    return any(
        isinstance(node, Join)
        and node.on is not None
        and any(isinstance(part, kind) and any(outers_of(part.query)) for part in subqueries_of(node.on))
        and any(has_constant(relation) for relation in (node.left, node.right))
        for node in walk(case.query)
    )


def subquery_as_a_join_condition_below_a_replicating_operator(case: Case) -> bool:
    """An EXCEPT ALL or INTERSECT ALL over a join whose ON has EXISTS or IN over a subquery."""
    return any(
        isinstance(node, SetOp) and node.kind != "union" and node.all and _joins_by_a_subquery(node)
        for node in walk(case.query)
    )


def subquery_in_a_hashed_semi_join_of_cached_tables(case: Case) -> bool:
    """A subquery in a semi or anti join's ON, or in the operand or query of an EXISTS or IN, of which Spark makes such
    a join; over cached tables, with shuffled hash joins.
    """
    return (case.settings.source, case.settings.join) == ("cached", "hash") and any(
        map(_is_semi_join_with_a_subquery, walk(case.query))
    )


def _is_semi_join_with_a_subquery(node: Node) -> bool:
    if isinstance(node, Join):
        return node.kind in ("semi", "anti") and node.on is not None and any(True for _ in subqueries_of(node.on))
    inner = sum(isinstance(part, (Exists, InSubquery, ScalarSubquery)) for part in walk(node))
    return isinstance(node, (Exists, InSubquery)) and inner > 1


def lateral_with_a_condition_read_twice(case: Case) -> bool:
    """A common table expression with a LATERAL join with a condition, that is read more than once, or inside another
    common table expression.
    """
    ctes = [node for node in walk(case.query) if isinstance(node, With)]
    inside_another = {inside.name for node in ctes for inside in walk(node.definition) if isinstance(inside, CteScan)}
    return any(
        any(isinstance(inside, Lateral) and inside.on is not None for inside in walk(node.definition))
        and (
            node.name in inside_another
            or sum(isinstance(inside, CteScan) and inside.name == node.name for inside in walk(node.body)) > 1
        )
        for node in ctes
    )


def lateral_with_a_condition_inside_a_subquery(case: Case) -> bool:
    """A LATERAL join with a condition inside a subquery, or on the right of another LATERAL join."""
    inner = [node.right for node in walk(case.query) if isinstance(node, Lateral)]
    inner += [s.query for s in walk(case.query) if isinstance(s, (Exists, InSubquery, ScalarSubquery))]
    return any(isinstance(inside, Lateral) and inside.on is not None for query in inner for inside in walk(query))


def cast_in_a_row_as_a_value(case: Case) -> bool:
    """A scalar subquery, EXISTS or LATERAL without FROM, of a cast, or a literal of a date or a timestamp, which may be
    one.
    """
    return any(
        isinstance(part, (Cast, TryCast)) or (isinstance(part, Lit) and part.type in (DATE, TIMESTAMP, TIMESTAMP_NTZ))
        for node in walk(case.query)
        for row in _rows_as_values(node)
        for part in walk(row)
    )


def _rows_as_values(node: Node) -> Iterator[OneRow]:
    if isinstance(node, (ScalarSubquery, Exists)) and isinstance(node.query, OneRow):
        yield node.query
    if isinstance(node, Lateral):
        inner = node.right.child if isinstance(node.right, Alias) else node.right
        if isinstance(inner, OneRow):
            yield inner


def limit_over_a_computed_correlation(case: Case) -> bool:
    """A limit over a comparison with an outer column in which a side is computed, if only to have the other's type."""
    return any(
        isinstance(inside, Compare) and _is_computed(inside) and any(outers_of(inside))
        for node in walk(case.query)
        if isinstance(node, Limit)
        for inside in walk(node.child)
    )


def _is_computed(comparison: Compare) -> bool:
    sides = (comparison.left, comparison.right)
    return sides[0].type != sides[1].type or not all(isinstance(side, (Col, Outer)) for side in sides)


def lateral_beside_widened_columns(case: Case) -> bool:
    """LATERAL over a set operator whose sides have different types."""
    return any(isinstance(node, Lateral) and any(map(_is_widened, walk(node.left))) for node in walk(case.query))


def _is_widened(node: Node) -> bool:
    return isinstance(node, SetOp) and [f.type for f in node.left.fields] != [f.type for f in node.right.fields]


def semi_join_on_a_subquery_of_the_right(case: Case) -> bool:
    """A semi join whose condition has a subquery, and is about the right side alone, but for parts of AND that are
    about the left side alone.
    """
    return any(
        isinstance(node, Join) and node.kind == "semi" and node.on is not None and _asks_the_right(node, node.on)
        for node in walk(case.query)
    )


def _asks_the_right(join: Join, condition: Expr) -> bool:
    asked = [part for part in conjuncts(condition) if _is_of(join.right, part) or next(subqueries_of(part), None)]
    return any(next(subqueries_of(part), None) for part in asked) and not any(_is_of(join.left, part) for part in asked)


def _is_of(side: Relation, part: Expr) -> bool:
    return any(resolve(column, from_fields(side)) for column in columns_of(part))


def outer_condition(case: Case) -> bool:
    """A subquery or LATERAL that reads an outer column of BOOLEAN."""
    return any(isinstance(node, Outer) and node.type == BOOLEAN for node in walk(case.query))
