"""Patterns of known divergences about tables in a VARIANT."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from strategies.ir import (
    Agg,
    Aggregate,
    Case,
    Col,
    Exists,
    GroupingSets,
    InSubquery,
    MakeStruct,
    Pivot,
    Relation,
    children,
    walk,
)

_EXPAND_RATIO = "spark.sql.optimizer.optimizeExpandRatio"


def correlated_in_an_aggregate_over_a_variant(case: Case) -> bool:
    """A correlated EXISTS or IN in an aggregate function or its FILTER, over tables in a VARIANT."""
    return case.settings.source == "variant" and any(
        isinstance(inside, (Exists, InSubquery)) and bool(inside.outer)
        for node in walk(case.query)
        if isinstance(node, (Aggregate, GroupingSets, Pivot))
        for part in children(node)
        if not isinstance(part, Relation)
        for function in walk(part)
        if isinstance(function, Agg)
        for inside in walk(function)
    )


def struct_of_a_variant(case: Case) -> bool:
    """A struct that is made of columns, over tables in a VARIANT."""
    return case.settings.source == "variant" and any(
        isinstance(part, Col) for node in walk(case.query) if isinstance(node, MakeStruct) for part in walk(node)
    )


def distinct_values_of_a_variant_in_two_steps(case: Case) -> bool:
    """A function of distinct values over tables in a VARIANT, with OptimizeExpand on."""
    return (
        case.settings.source == "variant"
        and any(key == _EXPAND_RATIO for key, _ in case.settings.conf)
        and any(isinstance(node, Agg) and node.distinct for node in walk(case.query))
    )


VARIANTS: Mapping[str, Callable[[Case], bool]] = {
    "correlated_in_an_aggregate_over_a_variant": correlated_in_an_aggregate_over_a_variant,
    "struct_of_a_variant": struct_of_a_variant,
    "distinct_values_of_a_variant_in_two_steps": distinct_values_of_a_variant_in_two_steps,
}
"""The patterns about tables in a VARIANT, by their names."""
