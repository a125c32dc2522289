"""The aim for a rule on trial: what its class mentions, in the words of the query algebra."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from oracles.engines.protocol import RuleNames
from oracles.sql.words import SPARK_FUNCTIONS
from strategies.draw.planner_conf import GROUPS
from strategies.edits.aim import Aim
from strategies.edits.aimed_expressions import CALLABLE
from strategies.edits.aimed_joins import JOINS_THAT_FIT
from strategies.ir import (
    AGG_FUNCTIONS,
    BIGINT,
    BINARY,
    COMPARE_OPS,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    INTERVAL,
    MONTHS,
    SMALLINT,
    STRING,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    AggFunction,
    Array,
    CompareOp,
    Decimal,
    JoinKind,
    RankFunction,
    SqlType,
    Struct,
)

_OPERATORS: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for name in ("Filter", "Project", "Aggregate", "Join", "Distinct", "Deduplicate", "Union")},
    **{name: (name,) for name in ("Except", "Intersect", "Window", "Generate", "Pivot")},
    "GlobalLimit": ("Limit",),
    "LocalLimit": ("Limit",),
    **dict.fromkeys(("Limit", "LimitAndOffset", "OffsetAndLimit", "Offset"), ("Limit",)),
    "Sort": ("Limit", "Sort"),
    "Repartition": ("Sort",),
    "RepartitionByExpression": ("Sort",),
    "RepartitionOperation": ("Sort",),
    "RebalancePartitions": ("Sort",),
    "Expand": ("GroupingSets", "GroupingSets", "Unpivot"),
    "LocalRelation": ("Values",),
    "LateralJoin": ("Lateral",),
    "WithCTE": ("With",),
    "CTERelationDef": ("With",),
    "CTERelationRef": ("With",),
    "UnionLoop": ("Recursive",),
    "UnionLoopRef": ("Recursive",),
    **dict.fromkeys(("TypedFilter", "SerializeFromObject", "DeserializeToObject", "MapElements"), ("Typed",)),
    **dict.fromkeys(("AppendColumns", "MapGroups"), ("Typed",)),
    # Extractors of parts of plans.
    **dict.fromkeys(("ExtractEquiJoinKeys", "ExtractFiltersAndInnerJoins"), ("Join",)),
    "PhysicalAggregation": ("Aggregate",),
    "PhysicalOperation": ("Project", "Filter"),
    "ScanOperation": ("Project", "Filter"),
    "ExtractSingleColumnNullAwareAntiJoin": ("Subquery",),
    # Expressions that stand in operators of their own.
    "Exists": ("Subquery",),
    "InSubquery": ("Subquery",),
    "ListQuery": ("Subquery",),
    "ScalarSubquery": ("ScalarSubquery",),
    "SubqueryExpression": ("Subquery", "ScalarSubquery"),
    "OuterReference": ("Subquery", "ScalarSubquery", "Lateral"),
    "LateralSubquery": ("Lateral",),
    "WindowExpression": ("Window",),
    "WindowFunction": ("Window",),
    "RowNumber": ("Window",),
    "RowNumberLike": ("Window",),
    "RankLike": ("Window",),
    **dict.fromkeys(("Rank", "DenseRank", "PercentRank", "CumeDist", "NTile"), ("Window",)),
    "Lead": ("Window",),
    "Lag": ("Window",),
    "NthValue": ("Window",),
    "Generator": ("Generate",),
    "Explode": ("Generate",),
    "PosExplode": ("Generate",),
    **dict.fromkeys(("PythonUDTF", "ArrowEvalPythonUDTF", "BatchEvalPythonUDTF"), ("Generate",)),
    "Grouping": ("GroupingSets",),
    "GroupingID": ("GroupingSets",),
    "SortOrder": ("Limit", "Sort", "Window"),
    "AggregateExpression": ("Aggregate",),
    "ExistenceJoin": ("Subquery",),
    "PivotFirst": ("Pivot",),
    **dict.fromkeys(("MonotonicallyIncreasingID", "Nondeterministic", "Rand", "RDG", "Uuid"), ("AtRandom",)),
}
_EXPRESSIONS: Mapping[str, tuple[str, ...]] = {
    **{name: (name,) for name in ("And", "Or", "Not", "IsNull", "Coalesce", "NullIf", "Cast", "Remainder", "Between")},
    "IsNotNull": ("IsNull",),
    "In": ("InList",),
    "InSet": ("InList",),
    "If": ("If", "CaseWhen"),
    "CaseWhen": ("If", "CaseWhen"),
    "ConditionalExpression": ("If", "CaseWhen"),
    "Add": ("Add",),
    "Subtract": ("Subtract",),
    "Multiply": ("Multiply",),
    "BinaryArithmetic": ("Arith",),
    "CreateArray": ("MakeArray",),
    "CreateNamedStruct": ("MakeStruct",),
    "GetStructField": ("GetField",),
    "CreateMap": ("MakeMap",),
    "GetMapValue": ("MapRead",),
    "UpdateFields": ("WithField", "WithoutField"),
    "WithField": ("WithField",),
    "DropField": ("WithoutField",),
    "GetArrayStructFields": ("FieldOfEach",),
    "ArrayTransform": ("HigherOrder",),
    "ArrayFilter": ("HigherOrder",),
    "ArrayExists": ("HigherOrder",),
    "ArrayForAll": ("HigherOrder",),
    "LambdaFunction": ("HigherOrder",),
    # Its rows are computed by the rule itself, with functions that keep state, too.
    "LocalRelation": ("HigherOrder",),
    **dict.fromkeys(("Collate", "CollationKey"), ("Collate",)),
    "ScalaUDF": ("UserCall",),
    **dict.fromkeys(("PythonUDF", "TranspiledPythonUDF", "TranspiledUDFParameter"), ("PythonCall",)),
    # Operators that call functions in Python.
    **dict.fromkeys(("ArrowEvalPython", "BatchEvalPython"), ("PythonCall",)),
    "UserDefinedExpression": ("UserCall",),
}
_STATEMENTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("DeleteFromTable", "DeleteFromTableWithFilters"), ("Delete",)),
    "UpdateTable": ("Update",),
    "MergeIntoTable": ("Merge",),
    **dict.fromkeys(("ReplaceData", "WriteDelta"), ("Delete", "Update", "Merge")),
    "InsertIntoStatement": ("Insert", "Overwrite"),
    "AppendData": ("Insert",),
    "OverwriteByExpression": ("Overwrite", "Insert"),
}
_RAISING = frozenset({"Divide", "IntegralDivide", "DivModLike", "Remainder", "Pmod", "EvalMode", "RaiseError"})
"""Expressions that may raise, and the mode that says whether they do."""
_OVERFLOWING = frozenset({"Add", "Subtract", "Multiply", "BinaryArithmetic"})
_NOT_ALWAYS = _RAISING | _OVERFLOWING | {"CaseWhen", "Coalesce", "ConditionalExpression", "If"}
"""These, sums and products, which may overflow, and expressions of which a part is evaluated only for some rows, which
shows if it may raise.
"""
_COMPARISONS: Mapping[str, tuple[CompareOp, ...]] = {
    "EqualTo": ("=",),
    "EqualNullSafe": ("<=>",),
    "Equality": ("=", "<=>"),
    "LessThan": ("<",),
    "LessThanOrEqual": ("<=",),
    "GreaterThan": (">",),
    "GreaterThanOrEqual": (">=",),
    "BinaryComparison": COMPARE_OPS,
}
_JOINS: Mapping[str, tuple[JoinKind, ...]] = {
    "Inner": ("inner",),
    "InnerLike": ("inner",),
    "Cross": ("cross",),
    "LeftOuter": ("left",),
    "RightOuter": ("right",),
    "FullOuter": ("full",),
    "LeftSemi": ("semi",),
    "LeftAnti": ("anti",),
}
_PAIR = Struct((("p", INT), ("q", STRING)))
_TYPES: Mapping[str, tuple[SqlType, ...]] = {
    "ByteType": (TINYINT,),
    "ShortType": (SMALLINT,),
    "IntegerType": (INT,),
    "LongType": (BIGINT,),
    "FloatType": (FLOAT,),
    "DoubleType": (DOUBLE,),
    "FractionalType": (DOUBLE, FLOAT, Decimal(9, 2)),
    "DecimalType": (Decimal(9, 2), Decimal(18, 4), Decimal(28, 6)),
    "StringType": (STRING,),
    "BinaryType": (BINARY,),
    "DateType": (DATE,),
    "TimestampType": (TIMESTAMP,),
    "TimestampNTZType": (TIMESTAMP_NTZ,),
    "AnyTimestampType": (TIMESTAMP, TIMESTAMP_NTZ),
    "DayTimeIntervalType": (INTERVAL,),
    "YearMonthIntervalType": (MONTHS,),
    "AnsiIntervalType": (INTERVAL, MONTHS),
    "TimeType": (TIME,),
    "AnyTimeType": (TIME,),
    "ArrayType": (Array(INT), Array(STRING)),
    "StructType": (_PAIR,),
    # Extractors of constants.
    "IntegerLiteral": (INT,),
    "StringLiteral": (STRING,),
    "DoubleLiteral": (DOUBLE,),
}
"""The types by name; BooleanType is left out, because rules mention it for constants that they make."""

_CONSTANTS: Mapping[str, tuple[bool, ...]] = {
    "TrueLiteral": (True,),
    "FalseLiteral": (False,),
    "BooleanLiteral": (True, False),
}
_AGGREGATES: Mapping[str, tuple[AggFunction, ...]] = {
    **{name: (name,) for name in AGG_FUNCTIONS},
    "bit_and": ("bit_and_agg",),
    "bit_or": ("bit_or_agg",),
    "bit_xor": ("bit_xor_agg",),
}

_RANKS: Mapping[str, tuple[RankFunction, ...]] = {
    "Rank": ("rank",),
    "DenseRank": ("dense_rank",),
    "RowNumber": ("row_number",),
    "RowNumberLike": ("row_number", "ntile"),
    "RankLike": ("rank", "dense_rank", "percent_rank"),
    "PercentRank": ("percent_rank",),
    "CumeDist": ("cume_dist",),
    "NTile": ("ntile",),
}

_WORDS = re.compile(r"([a-z_0-9]+)\(|([%/&|^~])|\b(div|like|ilike|rlike)\b")
_BESIDE = {"cast", "nullif", "abs"}
"""Words in templates that keep a function to arguments on which the engines agree."""

_Part = TypeVar("_Part")


_ACCEPTED_BY = frozenset({"DataSourceV2Relation", "DataSourceV2ScanRelation", "ScanBuilderHolder"})
"""The operators that read from a source which accepts parts of a query."""
_OF_VARIANTS = frozenset({"VariantGet", "VariantType"})
"""The expression that reads a field of a VARIANT, and the type."""


def aim_of(names: RuleNames) -> Aim:
    """The parts that queries should have for a rule that mentions ``names``; an empty aim if the algebra has none."""
    nodes = (*names.operators, *names.extractors, *names.expressions, *names.joins)
    groups = [name for name, group in GROUPS.items() if any(key in names.conf for key, _ in group.conf)]
    fitting = [JOINS_THAT_FIT[GROUPS[name].fits] for name in groups if GROUPS[name].fits in JOINS_THAT_FIT]
    return Aim(
        operators=tuple(dict.fromkeys((*_all(_OPERATORS, nodes), *fitting))),
        joins=_all(_JOINS, names.joins),
        expressions=_all(_EXPRESSIONS, (*names.operators, *names.expressions)),
        comparisons=_all(_COMPARISONS, (*names.expressions, *names.literals)),
        functions=_all(_FUNCTIONS, names.functions),
        aggregates=_all(_AGGREGATES, names.functions),
        ranks=_all(_RANKS, names.expressions),
        types=_all(_TYPES, (*names.types, *names.literals)),
        constants=_all(_CONSTANTS, names.literals),
        statements=_all(_STATEMENTS, names.operators),
        groups=tuple(groups),
        raising=0 if _NOT_ALWAYS.isdisjoint(nodes) else 4 if _RAISING.isdisjoint(nodes) else 2,
        accepting=not _ACCEPTED_BY.isdisjoint(nodes),
        in_variant=not _OF_VARIANTS.isdisjoint((*nodes, *names.types)),
    )


def _all(known: Mapping[str, tuple[_Part, ...]], names: Iterable[str]) -> tuple[_Part, ...]:
    """The parts for all of ``names``, each once."""
    return tuple(dict.fromkeys(part for name in names for part in known.get(name, ())))


def _by_sql_name() -> dict[str, tuple[str, ...]]:
    """By name of a function in Spark's SQL, the functions of the algebra that are written with it."""
    found: dict[str, tuple[str, ...]] = {}
    for function in CALLABLE:
        words = {word for match in _WORDS.findall(SPARK_FUNCTIONS[function].lower()) for word in match if word}
        for word in words - _BESIDE or words:
            found[word] = (*found.get(word, ()), function)
    return found


_FUNCTIONS = _by_sql_name()
