"""Spark SQL with more than one operator in a SELECT, as users write it.

A projection of an aggregate's groups stands in its SELECT, with HAVING over aggregate functions that it need not list.
A filter of a window's rows is QUALIFY, and GROUP BY ALL is by all keys. A generator stands beside windows over its
rows, and a join by columns of the same name has USING or NATURAL below a list of columns. A table gets columns that a
query lists BY NAME, in another order.
"""

from __future__ import annotations

from oracles.sql.base import Compiler
from oracles.sql.grouping import definitions, having_of_sets_needs_table, inlined_having
from strategies.ir import (
    Agg,
    Aggregate,
    Clauses,
    Col,
    Compare,
    Expr,
    Filter,
    Generate,
    GroupingSets,
    Item,
    Join,
    Lateral,
    Lit,
    Outer,
    Project,
    Relation,
    Scan,
    Window,
    children,
    columns_of,
    conjuncts,
    from_fields,
    resolve,
    subqueries_of,
    substitute,
    walk,
)


class MergedClauses(Compiler):
    """The part of Spark's compiler for such SELECTs; with "nested" clauses each operator has one of its own."""

    def __init__(self, clauses: Clauses) -> None:
        super().__init__()
        self._merges = clauses == "merged"

    def visit_Project(self, node: Project) -> str:
        items = of_groups(node) if self._merges else None
        group = node.child
        if items is None or not isinstance(group, (Aggregate, GroupingSets)):
            return self._by_names(node) or super().visit_Project(node)
        grouped = self.grouped(group, self.listed(items))
        return grouped if group.having is None else f"{grouped} HAVING {self.visit(inlined_having(group))}"

    def visit_Window(self, node: Window) -> str:
        return self._generated(node) if self._merges and is_beside_generator(node) else super().visit_Window(node)

    def _generated(self, node: Window) -> str:
        made = node.child
        assert isinstance(made, Generate)
        names = [self.quote(name) for name in (made.position, made.name) if name is not None]
        called = names[0] if len(names) == 1 else f"({', '.join(names)})"
        call = f"{made.function}{'_outer' if made.outer else ''}({self.visit(made.array)})"
        return f"SELECT *, {call} AS {called}, {self.named_windows(node)} {self.source(made.child)}"

    def rows_into(self, scan: Scan, query: Relation) -> str:
        if not self._merges or not isinstance(query, Project):
            return super().rows_into(scan, query)
        pairs = zip(query.items, scan.columns, strict=True)
        named = Project(query.child, tuple(Item(column.name, item.value) for item, column in pairs)[::-1])
        return f"{self.target(scan)} BY NAME {self.written(named)}"

    def group_by(self, node: Aggregate, keys: list[str]) -> str:
        may_be_all = self._merges and node.having is None and not any(_is_no_key_of_all(key.value) for key in node.keys)
        return "ALL" if may_be_all else super().group_by(node, keys)

    def visit_Filter(self, node: Filter) -> str:
        return self._qualified(node) if self._merges and is_qualified(node) else super().visit_Filter(node)

    def _by_names(self, node: Project) -> str | None:
        """``node`` over a join by names, if it is that."""
        below = node.child.child if isinstance(node.child, Filter) else node.child
        if not self._merges or not isinstance(below, Join) or not self.reads_columns(node):
            return None
        names = names_of_keys(below)
        if not names or asks(node) or asks(node.child):
            return None
        is_natural = below.kind not in ("semi", "anti") and names == _shared_names(below)
        joining = f"{'NATURAL ' if is_natural else ''}{self.joining(below)}"
        using = "" if is_natural else f" USING ({', '.join(map(self.quote, names))})"
        where = ""
        if isinstance(node.child, Filter):
            where = f" WHERE {self.beside(node.child.random, self.visit(node.child.condition))}"
        return f"SELECT {self.listed(node.items)} FROM {self.from_item(below.left)} {joining}{using}{where}"

    def reads_columns(self, node: Project) -> bool:
        """Whether the text of ``node`` has columns where the query has them."""
        return True

    def source(self, relation: Relation) -> str:
        if self._merges and is_qualified(relation):
            return f"FROM {self.derived(self.visit(relation), next(self._aliases), relation.fields)}"
        return super().source(relation)

    def _qualified(self, node: Filter) -> str:
        return f"{self.visit(node.child)} QUALIFY {self.visit(node.condition)}"


def of_groups(node: Project) -> tuple[Item, ...] | None:
    """The items of ``node`` over the columns below the groups that it reads; None if its SELECT can't be that of the
    groups.

    Subqueries that refer to the groups, and keys with subqueries, stay where they are. Of grouping sets it lists keys
    and aggregates alone. No name of an item may hide a column from HAVING.
    """
    group = node.child
    if not isinstance(group, (Aggregate, GroupingSets)):
        return None
    if any(isinstance(part, Outer) or getattr(part, "outer", ()) for item in node.items for part in walk(item)):
        return None
    if any(True for key in group.keys for _ in subqueries_of(key)):
        return None
    if isinstance(group, GroupingSets) and not _may_be_merged(group, node):
        return None
    if not group.keys and not _reads_aggregates(node, group):
        return None
    values = definitions(group)
    items = tuple(Item(item.name, substitute(item.value, lambda column: values[column.name])) for item in node.items)
    if group.having is None:
        return items
    if any(True for _ in subqueries_of(group.having)):
        return None
    names: dict[str, Expr | Agg] = {item.name.casefold(): item.value for item in items}
    asked = columns_of(inlined_having(group))
    return items if all(names.get(column.name.casefold(), column) == column for column in asked) else None


def _reads_aggregates(node: Project, group: Aggregate | GroupingSets) -> bool:
    """Whether the items of ``node`` read aggregates: a SELECT without them and without keys has a row for each row."""
    known = {item.name for item in group.aggregates}
    return any(column.name in known for item in node.items for column in columns_of(item))


def _may_be_merged(group: GroupingSets, node: Project) -> bool:
    """Whether the SELECT of ``group`` can list what ``node`` lists: a constant there is no key, which sets may lack."""
    if group.ids or any(isinstance(key.value, Lit) for key in group.keys):
        return False
    known = group.having is None or not having_of_sets_needs_table(group)
    return known and all(item.is_bare for item in node.items)


def is_qualified(relation: Relation) -> bool:
    """Whether ``relation`` is a filter that QUALIFY can say: of a window's rows, by columns without ambiguity."""
    if not isinstance(relation, Filter) or not isinstance(relation.child, Window) or relation.random is not None:
        return False
    if any(True for _ in subqueries_of(relation.condition)):
        return False
    window = relation.child
    if is_beside_generator(window):
        return False
    names = {over.name.casefold() for over in window.columns}
    known = (field.name.casefold() for field in window.child.fields)
    used = columns_of(relation.condition)
    return not names.intersection(known) and all(len(resolve(column, window.fields)) == 1 for column in used)


def is_beside_generator(node: Window) -> bool:
    """Whether a SELECT can have the windows of ``node`` beside the generator below it, whose columns these don't read:
    Spark computes windows over the rows that a generator makes.
    """
    made = node.child
    if not isinstance(made, Generate) or made.in_python:
        return False
    parts = (*node.columns, *node.partition, *node.order)
    if any(True for part in (*parts, made.array) for _ in subqueries_of(part)):
        return False
    names = {name.casefold() for name in (made.position, made.name) if name is not None}
    return not any(column.name.casefold() in names for part in parts for column in columns_of(part))


def names_of_keys(join: Join) -> tuple[str, ...]:
    """The columns by which USING can say what ON of ``join`` says: a column of this name of one side is equal to the
    other side's, and nothing else is asked; empty if ON says more. Neither side has two columns of this name.
    """
    if isinstance(join, Lateral) or join.on is None or isinstance(join.left, Join) or isinstance(join.right, Join):
        return ()
    left, right = from_fields(join.left), from_fields(join.right)
    names: list[str] = []
    for condition in conjuncts(join.on):
        if not isinstance(condition, Compare) or condition.op != "=":
            return ()
        one, other = condition.left, condition.right
        if not isinstance(one, Col) or not isinstance(other, Col) or one.name != other.name or one.type != other.type:
            return ()
        sides = {tuple(len(resolve(column, side)) for side in (left, right)) for column in (one, other)}
        named = [sum(field.name.casefold() == one.name.casefold() for field in side) for side in (left, right)]
        if sides != {(1, 0), (0, 1)} or named != [1, 1] or one.name in names:
            return ()
        names.append(one.name)
    return tuple(names)


def _shared_names(join: Join) -> tuple[str, ...]:
    """The names that both sides of ``join`` have, in the order of the left one."""
    known = {field.name.casefold() for field in from_fields(join.right)}
    return tuple(field.name for field in from_fields(join.left) if field.name.casefold() in known)


def asks(relation: Relation) -> bool:
    """Whether an expression of ``relation`` itself has a subquery."""
    expressions = (part for part in children(relation) if not isinstance(part, Relation))
    return any(True for expression in expressions for _ in subqueries_of(expression))


def _is_no_key_of_all(value: Expr | Agg) -> bool:
    """Whether ``value`` is a constant, or has a subquery: ALL takes neither for a key."""
    return any(True for _ in subqueries_of(value)) or not any(True for _ in columns_of(value))
