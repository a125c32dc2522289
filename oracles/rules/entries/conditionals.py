"""Entries of the rules that rewrite conditionals, comparisons with constants, columns that are constant, and structs
whose fields are changed.
"""

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
    )


CONDITIONALS: tuple[Rule, ...] = (
    _rewrites(
        "SimplifyConditionals",
        "a conditional whose conditions or results are known = fewer branches, one of its results, or its condition",
        "a branch whose condition is false or NULL goes; one whose condition is true ends the list, after those before",
        "one result for all, if ELSE has it, too: without ELSE that is NULL",
        "CASE WHEN c THEN true ELSE false END = (c <=> true): c itself only if it is never NULL",
        "if(c, NULL, false) = (c AND NULL), and the like, only if c is never NULL",
        "conditions that are not deterministic stay",
    ),
    _rewrites(
        "ReplaceNullWithFalseInPredicate",
        "NULL in a condition whose NULL counts as false = false",
        "the condition of a filter, a join, a branch, filter() of an array: not a value, which shows NULL",
        "through AND, OR and the results of a conditional alone: below NOT, IS NULL or <=> NULL is no false",
        "x NOT IN (…, NULL) = false; x IN (…, NULL) is true of a hit",
    ),
    _rewrites(
        "PushFoldableIntoBranches",
        "an operator on a conditional and a constant = the conditional of the operator on each result",
        "the operator's other operand is a constant, and stays on its side",
        "all results but one are constants; a missing ELSE is NULL, and the operator is applied to it, too",
        "what raises for one of the results raises only in that branch",
    ),
    _rewrites(
        "UnwrapCastInBinaryComparison",
        "a widened column compared with a constant = the column compared with the constant in its own type",
        "each value has a place of its own in the wider type: not BIGINT in DOUBLE",
        "a constant beyond the narrower type decides all but NULL; at its end < is <> and >= is =",
        "a constant that is rounded turns > into >=, or >= into >, and is equal to nothing",
        "of a list the items go that the narrower type doesn't have; NULL stays",
        "a day is compared as the moments from its first to the next day's first; a moment as the day that it is in",
    ),
    _rewrites(
        "FoldablePropagation",
        "a column that is a constant in all rows = the constant, in all that is above",
        "the column is one of the same rows: not of a side that an outer join pads, nor of one branch of a union",
        "the keys of grouping sets are NULL in the rows of sets without them",
        "columns are told apart by their ids, not by their names",
    ),
    Rule(
        # Spark lists it among the rules that can't be excluded.
        name="NormalizeFloatingNumbers",
        rule_name=OPTIMIZER + "NormalizeFloatingNumbers",
        batch="NormalizeFloatingNumbers",
        switch=None,
        law="a join or window by FLOAT or DOUBLE = the same by keys of which equal values have equal bits",
        conditions=(
            "-0.0 is 0.0, and every NaN is one",
            "both sides of a join's equality; its other conditions stay",
            "in arrays and structs, too",
            "the rows themselves keep what they hold",
        ),
    ),
    _rewrites(
        "OptimizeUpdateFields",
        "a struct with fields changed, and changed again = the struct with all changes at once",
        "the later change of a field is made after the earlier one, and is what remains",
        "a dropped field takes along what was set to it, and nothing else",
        "a NULL struct stays NULL, even if all of its fields are set",
    ),
)
