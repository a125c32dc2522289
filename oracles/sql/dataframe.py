"""Compile a query to a PySpark program: one expression over a DataFrame variable per base table, ``F`` and ``typed``.

A table that is read twice is one DataFrame used twice, so both uses share attribute ids until Spark renews one side's.
SQL text never makes such a plan.
"""

from __future__ import annotations

from collections.abc import Iterator
from keyword import iskeyword
from typing import ClassVar

from oracles.sql.dialect import UnsupportedNode, fresh_aliases
from oracles.sql.spark import LENGTH_OF_ANY, NUMBERED, SparkCompiler
from strategies.ir import (
    Agg,
    Aggregate,
    Alias,
    And,
    AnyLimit,
    CaseWhen,
    Coalesce,
    Col,
    Compare,
    CompareOp,
    Deduplicate,
    Distinct,
    Exchange,
    Expr,
    Filter,
    Generate,
    GetField,
    GroupingSets,
    IsNull,
    Item,
    Join,
    JoinKind,
    Limit,
    Literals,
    MakeArray,
    MakeStruct,
    Node,
    Not,
    Or,
    Project,
    RandomColumn,
    Relation,
    Repartition,
    RowNumbers,
    Scan,
    SetKind,
    SetOp,
    Sort,
    SortKey,
    Typed,
    TypedCount,
    TypedFilter,
    TypedMap,
    Unpivot,
    Window,
    WithField,
    WithoutField,
    is_in_python,
    scans,
    transform,
    walk,
)

_JOINS: dict[JoinKind, str] = {
    "inner": "inner",
    "left": "left_outer",
    "right": "right_outer",
    "full": "full_outer",
    "semi": "left_semi",
    "anti": "left_anti",
}
_SET_METHODS: dict[tuple[SetKind, bool], str] = {
    ("union", True): "unionAll({})",
    ("union", False): "unionAll({}).distinct()",
    ("except", True): "exceptAll({})",
    ("except", False): "subtract({})",
    ("intersect", True): "intersectAll({})",
    ("intersect", False): "intersect({})",
}
_EXCHANGES: dict[Exchange, str] = {
    "distribute": "repartition(",
    "repartition": "repartition(",
    "coalesce": "coalesce(",
    "range": "repartitionByRange(",
    "rebalance": "hint('rebalance', ",
}
"""The beginning of the call of a method, up to its arguments."""
_COUNT = "__count"
_COMPARISONS: dict[CompareOp, str] = {"=": "==", "<>": "!="}
"""The comparisons that Python calls by another name."""


class DataFrameCompiler:
    """Compiles relations to DataFrame methods; expressions are Spark SQL inside ``F.expr``."""

    UNSUPPORTED: ClassVar[frozenset[str]] = frozenset(
        {
            *("CteScan", "Exists", "InSubquery", "Lateral", "OneRow", "Outer", "Pivot", "Recursive"),
            *("ScalarSubquery", "Values", "Verbatim", "With"),
            *("Assignment", "Delete", "Insert", "Merge", "MergeClause", "Overwrite", "OverwritePartitions", "Update"),
        }
    )

    def __init__(self, literals: Literals = "plain") -> None:
        self._sql = SparkCompiler(literals)
        self._aliases: Iterator[str] = iter(())

    def supports(self, relation: Relation) -> bool:
        """Whether ``compile`` supports ``relation``."""
        return all(_is_variable(scan.table) for scan in scans(relation)) and not any(map(self._lacks, walk(relation)))

    def _lacks(self, node: Node) -> bool:
        """Whether DataFrames have no method for ``node``."""
        if isinstance(node, GroupingSets):
            return node.kind == "sets" or bool(node.ids)
        return is_in_python(node) or type(node).__name__ in self.UNSUPPORTED

    def compile(self, relation: Relation) -> str:
        """A Python expression for a DataFrame, over a variable for each base table, ``F`` (``pyspark.sql.functions``)
        and ``typed(operation, frame, *arguments)``, which calls a method of TypedRows in the jar.

        :raises UnsupportedNode: a table's name is no valid variable, or DataFrames have no method for a node.
        """
        if not self.supports(relation):
            raise UnsupportedNode("DataFrameCompiler: a table's name is no identifier, or a node has no method")
        self._aliases = fresh_aliases(relation)
        return self.visit(relation)

    def visit(self, node: Relation) -> str:
        """The program of one relation."""
        method = getattr(self, f"visit_{type(node).__name__}", None)
        if method is None:
            raise UnsupportedNode(f"DataFrameCompiler has no visit_{type(node).__name__}")
        text: str = method(node)
        return text

    def visit_Scan(self, node: Scan) -> str:
        return f"{node.table}.alias({node.table!r})"

    def visit_Alias(self, node: Alias) -> str:
        child = node.child.table if isinstance(node.child, Scan) else self.visit(node.child)
        return f"{child}.alias({node.name!r})"

    def visit_Project(self, node: Project) -> str:
        return f"{self.visit(node.child)}.select({', '.join(map(self._item, node.items))})"

    def visit_Filter(self, node: Filter) -> str:
        if node.random is None:
            return f"{self.visit(node.child)}.where({self._condition(node.condition)})"
        condition = self._sql.beside(node.random, self._sql.expression(node.condition))
        return f"{self.visit(node.child)}.where({condition!r})"

    def visit_Join(self, node: Join) -> str:
        left, right = self._side(node.left), self._side(node.right)
        right += "" if node.hint is None else f".hint({node.hint!r})"
        if node.on is None:
            return f"{left}.crossJoin({right})"
        on = transform(node.on, _as_it_stands)
        assert isinstance(on, Expr)  # a comparison replaces a comparison
        return f"{left}.join({right}, {self._column(on)}, {_JOINS[node.kind]!r})"

    def _side(self, side: Relation) -> str:
        """A join's input; a nested query hides the qualifiers below it, as a derived table does."""
        program = self.visit(side)
        return program if isinstance(side, (Scan, Alias, Join)) else f"{program}.alias({next(self._aliases)!r})"

    def visit_Aggregate(self, node: Aggregate) -> str:
        keys = ", ".join(map(self._key_item, node.keys))
        # agg() needs an aggregate: add a count, and drop it again.
        aggregates = ", ".join(map(self._item, node.aggregates or (Item(_COUNT, Agg("count")),)))
        grouped = f"{self.visit(node.child)}.groupBy({keys}).agg({aggregates})"
        if not node.aggregates:
            grouped += f".drop({_COUNT!r})"
        return grouped if node.having is None else f"{grouped}.where({self._text(node.having)})"

    def visit_GroupingSets(self, node: GroupingSets) -> str:
        keys = ", ".join(map(self._key_item, node.keys))
        aggregates = ", ".join(map(self._item, node.aggregates or (Item(_COUNT, Agg("count")),)))
        grouped = f"{self.visit(node.child)}.{node.kind}({keys}).agg({aggregates})"
        if not node.aggregates:
            grouped += f".drop({_COUNT!r})"
        return grouped if node.having is None else f"{grouped}.where({self._text(node.having)})"

    def visit_Window(self, node: Window) -> str:
        columns = (
            f"F.expr({text!r}).alias({over.name!r})"
            for text, over in zip(self._sql.windowed(node), node.columns, strict=True)
        )
        return f"{self.visit(node.child)}.select('*', {', '.join(columns)})"

    def visit_Generate(self, node: Generate) -> str:
        names = ", ".join(repr(name) for name in (node.position, node.name) if name is not None)
        function = f"{'explode' if node.position is None else 'posexplode'}{'_outer' if node.outer else ''}"
        return f"{self.visit(node.child)}.select('*', F.{function}({self._column(node.array)}).alias({names}))"

    def visit_Unpivot(self, node: Unpivot) -> str:
        kept = [self._sql.quote(node.child.fields[place].name) for place in node.kept]
        columns = [self._sql.quote(column.name) for column in node.columns]
        rows = f"{self.visit(node.child)}.unpivot({kept!r}, {columns!r}, {node.name!r}, {node.value!r})"
        return rows if node.nulls else f"{rows}.where(F.col({self._sql.quote(node.value)!r}).isNotNull())"

    def visit_TypedFilter(self, node: TypedFilter) -> str:
        return f"typed('filter', {self.visit(node.child)}, {node.function!r}, {node.place})"

    def visit_TypedMap(self, node: TypedMap) -> str:
        return f"typed('map', {self.visit(node.child)}, {node.function!r}, {node.place})"

    def visit_TypedCount(self, node: TypedCount) -> str:
        return f"typed('count', {self.visit(node.child)}, {node.place}, {node.name!r})"

    def visit_Distinct(self, node: Distinct) -> str:
        return f"{self.visit(node.child)}.distinct()"

    def visit_Deduplicate(self, node: Deduplicate) -> str:
        return f"{self.visit(node.child)}.dropDuplicates({list(node.keys)!r})"

    def visit_SetOp(self, node: SetOp) -> str:
        return f"{self.visit(node.left)}.{_SET_METHODS[node.kind, node.all].format(self.visit(node.right))}"

    def visit_Limit(self, node: Limit) -> str:
        order = ", ".join(map(self._sort_key, node.order))
        return f"{self.visit(node.child)}.orderBy({order}){_limit(node)}"

    def visit_Sort(self, node: Sort) -> str:
        method = "sortWithinPartitions" if node.within else "orderBy"
        return f"{self.visit(node.child)}.{method}({', '.join(map(self._sort_key, node.order))})"

    def visit_Repartition(self, node: Repartition) -> str:
        keys = [f"F.expr({self._sql.key(key)!r})" for key in node.keys]
        if node.kind == "rebalance":
            keys = list(map(repr, map(self._sql.visit, node.keys)))
        arguments = [*([] if node.count is None else [str(node.count)]), *keys]
        return f"{self.visit(node.child)}.{_EXCHANGES[node.kind]}{', '.join(arguments)})"

    def visit_RowNumbers(self, node: RowNumbers) -> str:
        return f"{self.visit(node.in_order)}.select('*', F.expr({NUMBERED!r}).alias({node.name!r}))"

    def visit_RandomColumn(self, node: RandomColumn) -> str:
        if node.function == "length":
            return f"{self.visit(node.child)}.select('*', F.expr({LENGTH_OF_ANY!r}).alias({node.name!r}))"
        below = f"{self.visit(node.child)}.select('*', F.expr({self._sql.random(node)!r}).alias({node.hidden!r}))"
        listed = [*(self._sql.quote(field.name) for field in node.child.fields), self._sql.halves(node)]
        return f"{below}.selectExpr({', '.join(map(repr, listed))})"

    def visit_AnyLimit(self, node: AnyLimit) -> str:
        return f"{self.visit(node.child)}{_limit(node)}"

    def _item(self, item: Item) -> str:
        return self._column(item.value) + ("" if item.is_bare else f".alias({item.name!r})")

    def _key_item(self, item: Item) -> str:
        key = self._column(item.value) if changes_fields(item.value) else f"F.expr({self._sql.key(item.value)!r})"
        return key + ("" if item.is_bare else f".alias({item.name!r})")

    def _sort_key(self, key: SortKey) -> str:
        nulls = "first" if key.nulls_first else "last"
        return f"F.expr({self._sql.key(key.value)!r}).{'desc' if key.descending else 'asc'}_nulls_{nulls}()"

    def _condition(self, condition: Expr) -> str:
        return self._column(condition) if changes_fields(condition) else self._text(condition)

    def _column(self, expression: Expr | Agg) -> str:
        method = self._method(expression) if changes_fields(expression) else None
        return f"F.expr({self._text(expression)})" if method is None else method

    def _method(self, expression: Expr | Agg) -> str | None:
        """The call for an expression in which fields change; None if SQL alone can say it, by what the changes mean."""
        of = self._column
        match expression:
            case WithField(operand, name, value):
                return f"{of(operand)}.withField({name!r}, {of(value)})"
            case WithoutField(operand, name):
                return f"{of(operand)}.dropFields({name!r})"
            case GetField(operand, name):
                return f"{of(operand)}.getField({name!r})"
            case Compare("<=>", left, right):
                return f"{of(left)}.eqNullSafe({of(right)})"
            case Compare(op, left, right):
                return f"({of(left)} {_COMPARISONS.get(op, op)} {of(right)})"
            case And(left, right):
                return f"({of(left)} & {of(right)})"
            case Or(left, right):
                return f"({of(left)} | {of(right)})"
            case Not(operand):
                return f"(~{of(operand)})"
            case IsNull(operand, negated):
                return f"{of(operand)}.{'isNotNull' if negated else 'isNull'}()"
            case MakeStruct(names, values):
                parts = (f"F.lit({name!r}), {of(value)}" for name, value in zip(names, values, strict=True))
                return f"F.named_struct({', '.join(parts)})"
            case MakeArray(_, elements):
                return f"F.array({', '.join(map(of, elements))})"
            case Coalesce(operands):
                return f"F.coalesce({', '.join(map(of, operands))})"
            case CaseWhen(branches, otherwise):
                whens = "".join(f".when({of(each.condition)}, {of(each.result)})" for each in branches)
                return f"F{whens}{'' if otherwise is None else f'.otherwise({of(otherwise)})'}"
            case Agg("min" | "max" | "count" as function, Expr() as operand, False, None, ()):
                return f"F.{function}({of(operand)})"
        return None

    def _text(self, expression: Expr | Agg) -> str:
        return repr(self._sql.expression(expression))


def changes_fields(node: Node) -> bool:
    """Whether fields of structs change in ``node``: SQL has words for what that means alone."""
    return any(isinstance(part, (WithField, WithoutField)) for part in walk(node))


def needs_methods(relation: Relation) -> bool:
    """Whether ``relation`` changes fields of structs, or rows as objects: only DataFrames have methods for these."""
    return any(isinstance(node, (WithField, WithoutField, Typed)) for node in walk(relation))


def _as_it_stands(node: Node) -> Node:
    """Rewrite a comparison of a column with itself, which Spark would take for ``left.a = right.a`` in the condition of
    a join of DataFrames that share attributes (spark.sql.selfJoinAutoResolveAmbiguity).
    """
    match node:
        case Compare(op="=" | "<=>" as op, left=Col() as left, right=Col() as right) if left.name == right.name and (
            left.qualifier == right.qualifier or None in (left.qualifier, right.qualifier)
        ):
            return Compare(op, left, Coalesce((right,)))
    return node


def _limit(node: Limit | AnyLimit) -> str:
    return f".offset({node.offset}).limit({node.count})" if node.offset else f".limit({node.count})"


def _is_variable(name: str) -> bool:
    return name.isidentifier() and not iskeyword(name) and name not in ("F", "typed")
