"""The names that a rule's class mentions, in the words of the query algebra."""

from __future__ import annotations

import pytest

from assay.fuzz.aim import aim_of
from oracles.engines.protocol import RuleNames
from strategies.draw.statements import KINDS
from strategies.edits.aim import Aim
from strategies.edits.aimed_expressions import EXPRESSIONS
from strategies.edits.aimed_operators import OPERATORS
from strategies.edits.aimed_stacks import has_operators
from strategies.ir import COMPARE_OPS, DATE, INT

NAMES: dict[str, tuple[RuleNames, Aim]] = {
    "operator": (RuleNames(operators=("Window",)), Aim(operators=("Window",))),
    "limit in two parts": (RuleNames(operators=("GlobalLimit", "LocalLimit")), Aim(operators=("Limit",))),
    "ranks": (
        RuleNames(expressions=("DenseRank", "RowNumber")),
        Aim(operators=("Window",), ranks=("dense_rank", "row_number")),
    ),
    "extractor": (RuleNames(extractors=("Limit", "ExtractEquiJoinKeys")), Aim(operators=("Limit", "Join"))),
    "rows at hand": (RuleNames(operators=("LocalRelation",)), Aim(operators=("Values",), expressions=("HigherOrder",))),
    "expression": (RuleNames(expressions=("IsNotNull", "In")), Aim(expressions=("IsNull", "InList"))),
    "what may raise": (RuleNames(expressions=("Divide",)), Aim(raising=2)),
    "what is not always evaluated": (
        RuleNames(expressions=("Coalesce",)),
        Aim(expressions=("Coalesce",), raising=4),
    ),
    "what may overflow": (RuleNames(expressions=("Add",)), Aim(expressions=("Add",), raising=4)),
    "table of a data source": (RuleNames(operators=("DataSourceV2ScanRelation",)), Aim(accepting=True)),
    "function in Python": (RuleNames(expressions=("PythonUDF",)), Aim(expressions=("PythonCall",))),
    "operator that calls one": (RuleNames(operators=("BatchEvalPython",)), Aim(expressions=("PythonCall",))),
    "subquery": (RuleNames(expressions=("ListQuery",)), Aim(operators=("Subquery",))),
    "comparison": (RuleNames(expressions=("EqualNullSafe",)), Aim(comparisons=("<=>",))),
    "any comparison": (RuleNames(expressions=("BinaryComparison",)), Aim(comparisons=COMPARE_OPS)),
    "function": (
        RuleNames(functions=("year", "like")),
        Aim(functions=("year", "like", "like_all", "like_any", "not_like_all", "not_like_any")),
    ),
    "function of several forms": (
        RuleNames(functions=("%",)),
        Aim(functions=("modulo", "double_modulo", "decimal_modulo")),
    ),
    "aggregate": (RuleNames(functions=("max_by",)), Aim(aggregates=("max_by",))),
    "join": (RuleNames(joins=("LeftAnti",)), Aim(joins=("anti",))),
    "join of either kind": (RuleNames(joins=("InnerLike",)), Aim(joins=("inner",))),
    "existence join": (RuleNames(joins=("ExistenceJoin",)), Aim(operators=("Subquery",))),
    "type": (RuleNames(types=("DateType", "BooleanType", "DataType")), Aim(types=(DATE,))),
    "literal": (RuleNames(literals=("FalseLiteral", "IntegerLiteral")), Aim(types=(INT,), constants=(False,))),
    "statement": (RuleNames(operators=("MergeIntoTable",)), Aim(statements=("Merge",))),
    "statement that rewrites groups": (
        RuleNames(operators=("ReplaceData",)),
        Aim(statements=("Delete", "Update", "Merge")),
    ),
    "configuration": (
        RuleNames(conf=("spark.sql.optimizer.inSetConversionThreshold", "spark.sql.shuffle.partitions")),
        Aim(groups=("sets of two",)),
    ),
    "configuration of a form of joins": (
        RuleNames(conf=("spark.sql.optimizer.dynamicPartitionPruning.useStats",)),
        Aim(operators=("JoinByFolder",), groups=("partitions pruned at run time",)),
    ),
    "what the algebra has not": (RuleNames(operators=("Sample",), functions=("uuid",)), Aim()),
    "nothing": (RuleNames(), Aim()),
}


@pytest.mark.parametrize(("names", "aim"), NAMES.values(), ids=NAMES)
def test_names_become_an_aim(names: RuleNames, aim: Aim) -> None:
    assert aim_of(names) == aim


def test_an_aim_is_true_if_it_has_a_part() -> None:
    assert not Aim()
    assert Aim(constants=(False,))


def test_all_that_names_become_can_be_drawn() -> None:
    from assay.fuzz import aim

    assert {part for parts in aim._OPERATORS.values() for part in parts} <= OPERATORS.keys()
    assert {part for parts in aim._EXPRESSIONS.values() for part in parts} <= EXPRESSIONS.keys()
    assert {part for parts in aim._STATEMENTS.values() for part in parts} <= KINDS.keys()


def test_an_aim_at_expressions_has_operators_to_put_them_into() -> None:
    assert has_operators(Aim(functions=("year",)))
    assert has_operators(Aim(types=(DATE,)))
    assert has_operators(Aim(operators=("Distinct",)))
    assert not has_operators(Aim(groups=("sets of two",)))
