"""Patterns of known divergences about the conditions that Spark gives to a data source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from strategies.ir import (
    BOOLEAN,
    DATE,
    FLOATING,
    PARQUET,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    WHOLE,
    Agg,
    Aggregate,
    And,
    Between,
    Call,
    Case,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Collated,
    Compare,
    CompareOp,
    Decimal,
    Deduplicate,
    Distinct,
    Expr,
    Filter,
    GetField,
    InList,
    InSubquery,
    IsNull,
    Item,
    Join,
    Lit,
    Node,
    Not,
    NullIf,
    Or,
    Outer,
    Project,
    RandomTest,
    Relation,
    Scan,
    SetOp,
    SqlType,
    Statement,
    TryArith,
    TryCast,
    integer_range,
    subqueries_of,
    walk,
)


def orc_in_list_with_null(case: Case) -> bool:
    """An IN list with a NULL over tables read from ORC."""
    return case.settings.source == "orc" and any(
        isinstance(node, InList) and any(isinstance(item, Lit) and item.value is None for item in node.items)
        for node in walk(case.query)
    )


def text_sought_by_a_column(case: Case) -> bool:
    """A test whether a text begins with, ends with or has another one that isn't a constant, over a data source of the
    second kind.
    """
    return case.settings.source == "v2" and any(
        isinstance(node, Call) and node.function in _TEXT_TESTS and not isinstance(node.arguments[1], Lit)
        for node in walk(case.query)
    )


_TEXT_TESTS = ("starts_with", "ends_with", "contains")


def columns_beside_those_of_folders(case: Case) -> bool:
    """A grouping over tables in folders, where OptimizeMetadataOnlyQuery reads the names of folders alone."""
    settings = case.settings
    return (
        settings.source == "partitioned"
        and ("spark.sql.optimizer.metadataOnly", "true") in settings.conf
        and any(isinstance(node, (Aggregate, Deduplicate, Distinct, SetOp)) for node in walk(case.query))
    )


def random_test_of_folders(case: Case) -> bool:
    """A filter by a random number in a case of :func:`columns_beside_those_of_folders`."""
    return columns_beside_those_of_folders(case) and any(isinstance(node, RandomTest) for node in walk(case.query))


def field_read_beside_an_outer_column(case: Case) -> bool:
    """A field of a struct in a condition over files that know fields, and a LATERAL join or subquery with an outer
    column.
    """
    nodes = list(walk(case.query))
    conditions = [
        part.condition if isinstance(part, Filter) else part.on for part in nodes if isinstance(part, (Filter, Join))
    ]
    return (
        case.settings.source in (*PARQUET, "orc")
        and any(isinstance(node, Outer) for node in nodes)
        and any(isinstance(part, GetField) for held in conditions if isinstance(held, Expr) for part in walk(held))
    )


def null_for_a_source(case: Case) -> bool:
    """A NULL below AND, OR or BETWEEN that is an operand, not a condition, over a data source of the second kind.

    An operand of coalesce(), CASE, NOT, a comparison, a test for NULL, a list, an aggregate or another function, a
    projected value, which Spark moves into such an operand above it, or a filter's condition below EXCEPT, which
    becomes an operand of coalesce() (ReplaceExceptWithFilter). Where AND and OR are conditions, Spark's rules make
    FALSE of their NULL, but not in a statement's condition with a subquery, which is offered to the source while the
    statement runs.
    """
    if case.settings.source != "v2":
        return False
    narrower = _narrower(case.query)
    return any(
        _leaves_unknown(part, narrower) for node in walk(case.query) if _has_operands(node) for part in walk(node)
    )


def _narrower(query: Relation) -> Callable[[Expr], list[SqlType]]:
    """The types that an expression's values had before they were cast, or those of the columns of its name: Spark puts
    the cast in the column's place. A set operator casts the narrower of two columns.
    """
    known: dict[str, list[SqlType]] = {}
    for node in walk(query):
        if isinstance(node, Item) and isinstance(node.value, Cast):
            known.setdefault(node.name, []).append(node.value.operand.type)
        if isinstance(node, SetOp):
            for one, other, out in zip(node.left.fields, node.right.fields, node.fields, strict=True):
                known.setdefault(out.name, []).extend({one.type, other.type} - {out.type})

    def types(operand: Expr) -> list[SqlType]:
        of_columns = known.get(operand.name, []) if isinstance(operand, Col) else []
        return [operand.operand.type if isinstance(operand, Cast) else operand.type, *of_columns]

    return types


def null_condition_for_a_source(case: Case) -> bool:
    """A NULL in a filter's condition, over a data source of the second kind."""
    return case.settings.source == "v2" and any(
        isinstance(node, Filter) and any(part == Lit(BOOLEAN, None) for part in walk(node.condition))
        for node in walk(case.query)
    )


def _has_operands(node: Node) -> bool:
    if isinstance(node, Statement):
        return next(subqueries_of(node), None) is not None
    return isinstance(node, _WITH_OPERANDS) or (isinstance(node, SetOp) and node.kind == "except" and not node.all)


_WITH_OPERANDS = (Agg, Between, Coalesce, CaseWhen, Compare, IsNull, InList, NullIf, Not, Call, Item)


def _leaves_unknown(part: Node, narrower: Callable[[Expr], list[SqlType]]) -> bool:
    """Whether ``part`` is AND, OR or BETWEEN over a literal NULL, or becomes that.

    BooleanSimplification makes NULL of a condition beside its negation, and UnwrapCastInBinaryComparison of a value
    that a narrower type hasn't got.
    """
    if isinstance(part, (Compare, NullIf)):
        return _is_decided(narrower(part.left), part.right) or _is_decided(narrower(part.right), part.left)
    if isinstance(part, InList):
        return all(_is_decided(narrower(part.operand), item) for item in part.items)
    if isinstance(part, Between):  # two comparisons
        return _has_null(part) or any(_is_decided(narrower(part.operand), bound) for bound in (part.low, part.high))
    return isinstance(part, (And, Or)) and (_are_opposite(part.left, part.right) or _has_null(part))


def _has_null(part: Node) -> bool:
    return any((isinstance(below, Lit) and below.value is None) or _may_fold_to_null(below) for below in walk(part))


def _may_fold_to_null(part: Node) -> bool:
    """Whether ``part`` is an expression of constants alone that may be NULL though none of them is."""
    return isinstance(part, (NullIf, TryArith, TryCast)) and not any(
        isinstance(below, (Col, Outer, Relation)) for below in walk(part)
    )


def _are_opposite(one: Expr, other: Expr) -> bool:
    """Whether one condition is the other's negation, once NOT is moved into comparisons and TRUE beside AND is gone."""
    left, right = _without_constant(one), _without_constant(other)
    return left in (Not(right), _turned(right)) or right == Not(left)


def _without_constant(condition: Expr) -> Expr:
    match condition:
        case And(left=left, right=Lit(value=True)) | And(left=Lit(value=True), right=left):
            return left
        case Or(left=left, right=Lit(value=False)) | Or(left=Lit(value=False), right=left):
            return left
    return condition


_TURNED: dict[str, CompareOp] = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def _turned(condition: Expr) -> Expr | None:
    """The comparison that is true where ``condition`` is false; None for ``<=>`` and for other conditions."""
    if isinstance(condition, Compare) and condition.op in _TURNED:
        return replace(condition, op=_TURNED[condition.op])
    return None


def _is_decided(types: list[SqlType], other: Expr) -> bool:
    """Whether ``other`` is a constant that one of ``types`` decides a comparison with, see :func:`_decides`."""
    if not isinstance(other, Lit) or other.value is None:
        return False
    return any(_decides(kind, other) for kind in types if kind != other.type)


def _decides(narrow: SqlType, other: Lit) -> bool:
    """Whether ``other`` is a number between or beyond those of ``narrow``, or the least or the greatest of them; or
    another moment than midnight, of dates.
    """
    if narrow == DATE and other.type in (TIMESTAMP, TIMESTAMP_NTZ):
        return not str(other.value).endswith(" 00:00:00.000000")
    if not (narrow in (BOOLEAN, *WHOLE) or isinstance(narrow, Decimal)):
        return False
    if other.type in FLOATING and str(other.value) in _BEYOND_NUMBERS:
        return True
    number = _number(other)
    if number is None:
        return False
    scale = narrow.scale if isinstance(narrow, Decimal) else 0
    low, high = _range(narrow)
    scaled = number * 10**scale
    return scaled.denominator != 1 or not low < scaled < high


_BEYOND_NUMBERS = ("nan", "inf", "-inf")


def _range(kind: SqlType) -> tuple[int, int]:
    if isinstance(kind, Decimal):
        return 1 - 10**kind.precision, 10**kind.precision - 1
    return (0, 1) if kind == BOOLEAN else integer_range(kind)


def _number(literal: Lit) -> Fraction | None:
    """The value of a number; None for NaN, the infinities, and values of other types."""
    if literal.type in WHOLE:
        return Fraction(int(str(literal.value)))
    if isinstance(literal.type, Decimal):
        return Fraction(str(literal.value))
    if literal.type in FLOATING and str(literal.value) not in _BEYOND_NUMBERS:
        return Fraction(float.fromhex(str(literal.value)))
    return None


def csv_of_no_column(case: Case) -> bool:
    """IN of constants alone, over tables read from CSV: nothing is read of the subquery's table."""
    return case.settings.source == "csv" and any(
        isinstance(node, InSubquery)
        and isinstance(node.query, Project)
        and not any(_reads_a_column(each) for each in (*node.operands, *node.query.items))
        for node in walk(case.query)
    )


def collated_column_in_orc(case: Case) -> bool:
    """A column of texts under a collation, in tables read from ORC."""
    columns = (column for table in case.database.tables for column in table.columns)
    return case.settings.source == "orc" and any(isinstance(column.type, Collated) for column in columns)


def collated_list_in_csv(case: Case) -> bool:
    """IN of several constants, of a column of texts under a collation, in a filter of a table read from CSV."""
    return case.settings.source == "csv" and any(
        isinstance(part, InList)
        and len(part.items) > 1
        and isinstance(part.operand, Col)
        and isinstance(part.operand.type, Collated)
        for node in walk(case.query)
        if isinstance(node, Filter) and isinstance(node.child, Scan)
        for part in walk(node.condition)
    )


def _reads_a_column(node: Node) -> bool:
    return any(isinstance(part, (Col, Outer)) for part in walk(node))


def orc_comparison_with_null(case: Case) -> bool:
    """A comparison with NULL, or with an expression of constants and a NULL, over tables read from ORC."""
    return case.settings.source == "orc" and any(
        isinstance(node, Compare) and any(map(_is_of_null, (node.left, node.right))) for node in walk(case.query)
    )


def _is_of_null(side: Expr) -> bool:
    parts = list(walk(side))
    return any(isinstance(part, Lit) and part.value is None for part in parts) and not any(
        isinstance(part, Col) for part in parts
    )
