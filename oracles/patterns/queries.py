"""Patterns of cases that a known divergence may excuse: predicates for divergences.toml, described by their cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from oracles.engines.spark.sources import dealt
from oracles.patterns.aggregates import (
    average_of_ten_or_eleven_digits,
    changed_field_below_a_semi_join,
    correlated_aggregate_in_exists_or_in,
    correlated_aggregate_of_an_aggregate,
    distinct_aggregate_of_a_constant,
    distinct_constants_of_all_rows,
    key_with_a_cte,
    nested_groups_below_a_union,
    partly_pushed_sum_of_decimals,
    rows_counted_beside_distinct_values,
)
from oracles.patterns.estimates import (
    estimated_array,
    estimated_infinity,
    estimated_nan,
    estimated_null,
    estimated_stored_nan,
    estimated_timestamp_ntz,
    three_joined_with_statistics,
    three_joined_with_statistics_and_a_condition_on_one,
)
from oracles.patterns.limits import (
    exists_over_a_full_join,
    exists_over_a_left_or_right_join,
    limit_over_a_full_join,
    limit_over_a_left_or_right_join,
    limit_with_an_offset,
    semi_join_on_a_choice_of_the_right,
    subquery_projected_over_top_rows,
    top_rows_below_a_limit,
)
from oracles.patterns.nullability import NULLABILITY
from oracles.patterns.scalar_subqueries import scalar_subquery, scalar_subquery_and_a_join
from oracles.patterns.set_operators import (
    comparison_of_recursions,
    recursion,
    set_operator_all,
    set_operator_all_of_nested_columns,
    set_operator_all_over_a_column_twice,
    union_over_a_value_twice,
)
from oracles.patterns.sources import (
    collated_column_in_orc,
    collated_list_in_csv,
    columns_beside_those_of_folders,
    csv_of_no_column,
    field_read_beside_an_outer_column,
    null_condition_for_a_source,
    null_for_a_source,
    orc_comparison_with_null,
    orc_in_list_with_null,
    random_test_of_folders,
    text_sought_by_a_column,
)
from oracles.patterns.statements import STATEMENTS
from oracles.patterns.subqueries import (
    cast_in_a_row_as_a_value,
    exists_beside_a_constant_column_in_a_join_condition,
    full_join_on_in_below_an_anti_join,
    in_above_a_grand_total,
    in_beside_a_constant_column_in_a_join_condition,
    in_subquery_as_a_value,
    lateral_beside_widened_columns,
    lateral_with_a_condition_inside_a_subquery,
    lateral_with_a_condition_read_twice,
    limit_over_a_computed_correlation,
    outer_column_below_a_set_operator,
    outer_column_below_a_set_operator_of_doubles,
    outer_condition,
    projected_cte,
    projected_subquery_and_a_union,
    projected_subquery_and_groups,
    semi_join_on_a_subquery_of_the_right,
    subquery_as_a_join_condition,
    subquery_as_a_join_condition_below_a_replicating_operator,
    subquery_beside_an_outer_column,
    subquery_in_a_hashed_semi_join_of_cached_tables,
)
from oracles.patterns.texts import common_table_over_another, correlation_of_equal_values, groups_by_a_sum_in_two_orders
from oracles.patterns.typed import map_of_another_s_objects, null_for_a_typed_filter
from oracles.patterns.user_functions import python_of_a_constant_in_a_join
from oracles.patterns.variants import VARIANTS
from oracles.patterns.windows import WINDOWS
from oracles.patterns.zeros import ZEROS
from strategies.ir import (
    PARQUET,
    Agg,
    Aggregate,
    Alias,
    And,
    Array,
    Between,
    Call,
    Case,
    Cast,
    Col,
    Compare,
    Expr,
    Filter,
    Generate,
    GroupingSets,
    InList,
    Item,
    Join,
    Lit,
    Node,
    Not,
    NullIf,
    Project,
    Relation,
    Row,
    SetOp,
    TryArith,
    Value,
    children,
    columns_of,
    from_fields,
    is_plain,
    resolve,
    substitute,
    walk,
)


def anything(_: Case) -> bool:
    """Every case: for an entry that is specific enough by its verdict and guilty rules."""
    return True


def except_condition_takes_another_column(case: Case) -> bool:
    """An EXCEPT whose right side filters by a column, with another column of the same name on the left side: both sides
    compute the same columns above the filter, one of them by that name, or the name is at another position.
    """
    return any(
        isinstance(node, SetOp) and node.kind == "except" and not node.all and _takes_another_column(node)
        for node in walk(case.query)
    )


def _takes_another_column(setop: SetOp) -> bool:
    places = {field.name: place for place, field in enumerate(setop.left.fields)}
    others = {field.name for place, field in enumerate(setop.right.fields) if places.get(field.name, place) != place}
    left = [node for node in _straight_down(setop.left) if isinstance(node, Project)]
    for node in _straight_down(setop.right):
        for project in left:
            if isinstance(node, Project) and _computes(node) == _computes(project):
                others |= {item.name for item in project.items if is_computed(item)}
        if isinstance(node, Filter) and others & places.keys() & {each.name for each in columns_of(node.condition)}:
            return True
    return False


def _computes(project: Project) -> list[Node]:
    """The expressions of ``project``, without qualifiers."""
    return [substitute(item.value, lambda column: Col(column.name, column.kind)) for item in project.items]


def is_computed(item: Item) -> bool:
    """Whether ``item`` is other than a column under its own name."""
    return not (isinstance(item.value, Col) and item.value.name == item.name)


def _straight_down(relation: Relation) -> Iterator[Relation]:
    """``relation`` and the relations below it, down to the first other than a projection, filter or alias."""
    yield relation
    while isinstance(relation, (Alias, Filter, Project)):
        relation = relation.child
        yield relation


def exploded_array(case: Case) -> bool:
    """An explode of an array; rules may turn the array into a constant."""
    return any(isinstance(node, Generate) for node in walk(case.query))


def listagg_and_distinct(case: Case) -> bool:
    """listagg, which always has an order, and DISTINCT, in it or in another aggregate."""
    found = [node for node in walk(case.query) if isinstance(node, Agg)]
    return any(node.function == "listagg" for node in found) and any(node.distinct for node in found)


def nested_comparison_of_a_group_in_having(case: Case) -> bool:
    """A HAVING that refers to a grouping expression with a comparison of arrays or structs, nullif and IN included."""
    return any(
        _compares_nested(part)
        for node in walk(case.query)
        if isinstance(node, (Aggregate, GroupingSets)) and node.having is not None
        for key in node.keys
        if key.name in {column.name for column in columns_of(node.having)}
        for part in walk(key.value)
    )


def _compares_nested(part: Node) -> bool:
    if isinstance(part, Call):
        return part.function == "is_struct_of_json"  # in SQL's words a comparison of two structs
    return isinstance(part, (Between, Compare, InList, NullIf)) and any(
        isinstance(child, Expr) and not is_plain(child.type) for child in children(part)
    )


def semi_join_on_the_right_alone(case: Case) -> bool:
    """A semi join whose right side is a join with a left or right join in it, and whose condition is on it alone."""
    return any(
        isinstance(node, Join)
        and node.kind == "semi"
        and node.on is not None
        and isinstance(node.right, Join)
        and any(isinstance(below, Join) and below.kind in ("left", "right") for below in walk(node.right))
        and not any(resolve(column, from_fields(node.left)) for column in columns_of(node.on))
        for node in walk(case.query)
    )


def unknown_elements_in_parquet(case: Case) -> bool:
    """Vectorized reads from Parquet in generated code, of a column of arrays that has no element but NULL in one of the
    table's files.
    """
    settings = case.settings
    if settings.source not in PARQUET or not (settings.codegen and settings.vectorized):
        return False
    return any(
        isinstance(column.type, Array) and _elements(rows, place) == {None}
        for number, table in enumerate(case.database.tables)
        for rows in dealt(table.rows, settings.table_partitions, number)
        for place, column in enumerate(table.columns)
    )


def _elements(rows: Sequence[Row], place: int) -> set[Value]:
    arrays = (row[place] for row in rows)
    return {element for array in arrays if isinstance(array, tuple) for element in array}


def nested_try_arithmetic(case: Case) -> bool:
    """A + or * that is NULL on overflow, as an operand of the same operator."""
    return any(
        isinstance(node, TryArith)
        and any(isinstance(side, TryArith) and side.op == node.op for side in (node.left, node.right))
        for node in walk(case.query)
    )


def column_equals_its_own_cast(case: Case) -> bool:
    """A column that is compared by ``=`` with a cast of itself to its own type."""
    return any(
        isinstance(node, Compare)
        and node.op == "="
        and (_is_cast_of(node.left, node.right) or _is_cast_of(node.right, node.left))
        for node in walk(case.query)
    )


def _is_cast_of(one: Expr, other: Expr) -> bool:
    return isinstance(one, Cast) and one.operand == other and one.type == other.type and isinstance(other, Col)


def column_is_null_below_not(case: Case) -> bool:
    """A comparison ``column = NULL`` as a part of AND below NOT."""
    return any(
        isinstance(part, Compare) and part.op == "=" and _is_column_and_null(part.left, part.right)
        for node in walk(case.query)
        if isinstance(node, Not)
        for both in walk(node)
        if isinstance(both, And)
        for part in (both.left, both.right)
    )


def _is_column_and_null(*sides: Expr) -> bool:
    return any(isinstance(side, Col) for side in sides) and any(
        isinstance(side, Lit) and side.value is None for side in sides
    )


PATTERNS: dict[str, Callable[[Case], bool]] = {
    "anything": anything,
    "except_condition_takes_another_column": except_condition_takes_another_column,
    "comparison_of_recursions": comparison_of_recursions,
    "recursion": recursion,
    "null_condition_for_a_source": null_condition_for_a_source,
    "exploded_array": exploded_array,
    "in_above_a_grand_total": in_above_a_grand_total,
    "in_beside_a_constant_column_in_a_join_condition": in_beside_a_constant_column_in_a_join_condition,
    "in_subquery_as_a_value": in_subquery_as_a_value,
    "correlation_of_equal_values": correlation_of_equal_values,
    "groups_by_a_sum_in_two_orders": groups_by_a_sum_in_two_orders,
    "common_table_over_another": common_table_over_another,
    "set_operator_all": set_operator_all,
    "set_operator_all_of_nested_columns": set_operator_all_of_nested_columns,
    "set_operator_all_over_a_column_twice": set_operator_all_over_a_column_twice,
    "union_over_a_value_twice": union_over_a_value_twice,
    "limit_over_a_full_join": limit_over_a_full_join,
    "exists_over_a_full_join": exists_over_a_full_join,
    "exists_over_a_left_or_right_join": exists_over_a_left_or_right_join,
    "semi_join_on_a_choice_of_the_right": semi_join_on_a_choice_of_the_right,
    "limit_over_a_left_or_right_join": limit_over_a_left_or_right_join,
    "limit_with_an_offset": limit_with_an_offset,
    "top_rows_below_a_limit": top_rows_below_a_limit,
    "listagg_and_distinct": listagg_and_distinct,
    "nested_comparison_of_a_group_in_having": nested_comparison_of_a_group_in_having,
    "semi_join_on_the_right_alone": semi_join_on_the_right_alone,
    "semi_join_on_a_subquery_of_the_right": semi_join_on_a_subquery_of_the_right,
    "orc_in_list_with_null": orc_in_list_with_null,
    "estimated_nan": estimated_nan,
    "estimated_stored_nan": estimated_stored_nan,
    "estimated_infinity": estimated_infinity,
    "limit_over_a_computed_correlation": limit_over_a_computed_correlation,
    "orc_comparison_with_null": orc_comparison_with_null,
    "three_joined_with_statistics": three_joined_with_statistics,
    "three_joined_with_statistics_and_a_condition_on_one": three_joined_with_statistics_and_a_condition_on_one,
    "subquery_projected_over_top_rows": subquery_projected_over_top_rows,
    "unknown_elements_in_parquet": unknown_elements_in_parquet,
    "estimated_null": estimated_null,
    "estimated_array": estimated_array,
    "estimated_timestamp_ntz": estimated_timestamp_ntz,
    "nested_try_arithmetic": nested_try_arithmetic,
    "column_equals_its_own_cast": column_equals_its_own_cast,
    "outer_condition": outer_condition,
    "cast_in_a_row_as_a_value": cast_in_a_row_as_a_value,
    "key_with_a_cte": key_with_a_cte,
    "null_for_a_source": null_for_a_source,
    "text_sought_by_a_column": text_sought_by_a_column,
    **STATEMENTS,
    **VARIANTS,
    **WINDOWS,
    **NULLABILITY,
    **ZEROS,
    "python_of_a_constant_in_a_join": python_of_a_constant_in_a_join,
    "partly_pushed_sum_of_decimals": partly_pushed_sum_of_decimals,
    "outer_column_below_a_set_operator": outer_column_below_a_set_operator,
    "outer_column_below_a_set_operator_of_doubles": outer_column_below_a_set_operator_of_doubles,
    "subquery_as_a_join_condition": subquery_as_a_join_condition,
    "subquery_as_a_join_condition_below_a_replicating_operator": (
        subquery_as_a_join_condition_below_a_replicating_operator
    ),
    "exists_beside_a_constant_column_in_a_join_condition": exists_beside_a_constant_column_in_a_join_condition,
    "full_join_on_in_below_an_anti_join": full_join_on_in_below_an_anti_join,
    "scalar_subquery": scalar_subquery,
    "scalar_subquery_and_a_join": scalar_subquery_and_a_join,
    "projected_subquery_and_groups": projected_subquery_and_groups,
    "projected_cte": projected_cte,
    "projected_subquery_and_a_union": projected_subquery_and_a_union,
    "lateral_with_a_condition_inside_a_subquery": lateral_with_a_condition_inside_a_subquery,
    "lateral_with_a_condition_read_twice": lateral_with_a_condition_read_twice,
    "subquery_beside_an_outer_column": subquery_beside_an_outer_column,
    "subquery_in_a_hashed_semi_join_of_cached_tables": subquery_in_a_hashed_semi_join_of_cached_tables,
    "lateral_beside_widened_columns": lateral_beside_widened_columns,
    "correlated_aggregate_in_exists_or_in": correlated_aggregate_in_exists_or_in,
    "correlated_aggregate_of_an_aggregate": correlated_aggregate_of_an_aggregate,
    "distinct_aggregate_of_a_constant": distinct_aggregate_of_a_constant,
    "column_is_null_below_not": column_is_null_below_not,
    "csv_of_no_column": csv_of_no_column,
    "collated_column_in_orc": collated_column_in_orc,
    "collated_list_in_csv": collated_list_in_csv,
    "average_of_ten_or_eleven_digits": average_of_ten_or_eleven_digits,
    "distinct_constants_of_all_rows": distinct_constants_of_all_rows,
    "rows_counted_beside_distinct_values": rows_counted_beside_distinct_values,
    "nested_groups_below_a_union": nested_groups_below_a_union,
    "changed_field_below_a_semi_join": changed_field_below_a_semi_join,
    "columns_beside_those_of_folders": columns_beside_those_of_folders,
    "random_test_of_folders": random_test_of_folders,
    "field_read_beside_an_outer_column": field_read_beside_an_outer_column,
    "map_of_another_s_objects": map_of_another_s_objects,
    "null_for_a_typed_filter": null_for_a_typed_filter,
}
