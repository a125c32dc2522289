"""Entries of the rules that rewrite expressions in place, without a change of any value."""

from __future__ import annotations

from oracles.rules.rule import OPERATOR_OPTIMIZATION, OPTIMIZER, Rule


def _rewrites(name: str, law: str, *conditions: str) -> Rule:
    return Rule(
        name=name,
        rule_name=OPTIMIZER + name,
        batch=OPERATOR_OPTIMIZATION,
        switch=None,
        law=law,
        conditions=conditions,
        seeds=("002",),
    )


EXPRESSIONS: tuple[Rule, ...] = (
    _rewrites(
        "BooleanSimplification",
        "a condition of AND, OR and NOT = a shorter one that is true, false and NULL for the same rows",
        "x AND NOT x is false, x OR NOT x true, only where x isn't NULL; else they are NULL",
        "x AND (NOT x OR y) = x AND y, x OR (NOT x AND y) = x OR y, if x is never NULL",
        "what both parts of an AND or OR share is asked once, beside the rest of both",
        "NOT turns AND into OR, < into >=, and goes into both parts",
        "x is deterministic: it is asked fewer times",
    ),
    _rewrites(
        "NullPropagation",
        "an expression around NULL = NULL, or what is left of it; a test for NULL of what never is = true or false",
        "of functions that are NULL wherever an argument is: not AND, OR, <=>, coalesce, CASE, IN with other items",
        "x <=> NULL = (x IS NULL); coalesce loses NULL, and is what remains if that is one",
        "x IS NULL = false, count(x) = count(*), if x is never NULL; but count(DISTINCT x) stays",
    ),
    _rewrites(
        "SimplifyBinaryComparison",
        "a comparison of x with itself = true or false; one of a condition with true or false = it, or NOT of it",
        "x = x, x <= x and x >= x are true, x < x and x > x false, if x is never NULL or the filter says that it isn't",
        "x <=> x is true of any x; (c <=> true) = c only for a c that is never NULL",
        "x is deterministic, and both are the same columns, not namesakes",
    ),
    _rewrites(
        "ConstantPropagation",
        "a filter's a = 0 AND b = a is a = 0 AND b = 0",
        "a is set equal to a constant by = or <=> in the same AND; in an OR or NOT only for that part by itself",
        "under NOT, where NULL doesn't count as false, only an a that is never NULL",
        "the equality itself stays as it is",
        "whatever is asked of a can't tell equal values apart",
    ),
    _rewrites(
        "OptimizeIn",
        "x IN (constants) = x IN (those, each once): an equality with one item, a set of more than ten",
        "all items are constants",
        "NULL stays among them: with it a miss is NULL; x IN (NULL) is NULL, not false",
    ),
    _rewrites(
        "SimplifyCasts",
        "a cast to the type that is there already goes; of two casts of a number the inner one goes",
        "the inner one if both only widen: what doesn't fit between, or is rounded there, is lost",
    ),
    _rewrites(
        "ConstantFolding",
        "an expression of constants = its value, be that NULL",
        "every part is a constant, and deterministic",
        "what raises stays as it is within a branch that may never be taken",
        "a run turns it off only when asked to: LIMIT 1 + 1 and frames of windows need it",
    ),
    Rule(
        name="UpdateAttributeNullability",
        rule_name="org.apache.spark.sql.catalyst.analysis.UpdateAttributeNullability",
        batch="LocalRelation early",
        switch=None,
        law="a column is taken for nullable where what is below gives it as nullable, and nowhere else",
        conditions=(
            "an outer join gives the padded side's columns as nullable, whatever they are on that side",
            "a column of a union is nullable if it is in one of the branches",
        ),
        seeds=("002",),
    ),
)
