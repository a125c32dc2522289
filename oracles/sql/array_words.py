"""Templates for functions of arrays: Spark's, then DuckDB's."""

from __future__ import annotations

_NONE_MISSING = "len(list_filter({0}, lambda e: e IS NULL)) = 0"

ARRAY_WORDS: dict[str, tuple[str, str]] = {
    "size": ("size({})", "CAST(len({}) AS INTEGER)"),
    "array_get": ("get({}, {})", "({})[{} + 1]"),
    "array_at": ("try_element_at({}, {})", "({})[{}]"),
    # DuckDB's function is two-valued: a miss beside a NULL would be FALSE.
    "array_contains": (
        "array_contains({}, {})",
        "CASE WHEN list_contains({0}, {1}) THEN true"
        f" WHEN {{0}} IS NOT NULL AND {{1}} IS NOT NULL AND {_NONE_MISSING} THEN false END",
    ),
    "array_position": (
        "array_position({}, {})",
        "CASE WHEN {0} IS NOT NULL AND {1} IS NOT NULL THEN CAST(coalesce(list_position({0}, {1}), 0) AS BIGINT) END",
    ),
    "array_min": ("array_min({})", "list_min({})"),
    "array_max": ("array_max({})", "list_max({})"),
    "array_sort": ("array_sort({})", "list_sort({}, 'ASC', 'NULLS LAST')"),
    "sort_array": ("sort_array({})", "list_sort({}, 'ASC', 'NULLS FIRST')"),
    "sort_array_desc": ("sort_array({}, false)", "list_sort({}, 'DESC', 'NULLS LAST')"),
    # DuckDB's function loses the order and the NULL.
    "array_distinct": (
        "array_sort(array_distinct({}))",
        "CASE WHEN {0} IS NOT NULL THEN list_sort(list_distinct({0}), 'ASC', 'NULLS LAST')"
        f" || CASE WHEN {_NONE_MISSING} THEN CAST([] AS {{result}}) ELSE CAST([NULL] AS {{result}}) END END",
    ),
    "array_reverse": ("reverse({})", "list_reverse({})"),
    "array_compact": ("array_compact({})", "list_filter({}, lambda e: e IS NOT NULL)"),
    # Only Spark returns NULL if an argument is NULL.
    "array_concat": (
        "concat({}, {})",
        "CASE WHEN {0} IS NOT NULL AND {1} IS NOT NULL THEN list_concat({0}, {1}) END",
    ),
    "array_append": ("array_append({}, {})", "CASE WHEN {0} IS NOT NULL THEN list_append({0}, {1}) END"),
    "array_prepend": ("array_prepend({}, {})", "CASE WHEN {0} IS NOT NULL THEN list_prepend({1}, {0}) END"),
    "array_remove": (
        "array_remove({}, {})",
        "CASE WHEN {1} IS NOT NULL THEN list_filter({0}, lambda e: e IS DISTINCT FROM {1}) END",
    ),
    "slice": ("slice({}, {}, {})", "list_slice({0}, {1}, {1} + {2} - 1)"),
    "array_repeat": ("array_repeat({}, {})", "repeat([{}], {})"),
    "sequence": ("sequence({}, {})", "CAST(generate_series({}, {}) AS INTEGER[])"),
    # DuckDB returns NULL if all elements are NULL.
    "array_join": (
        "array_join({}, {})",
        "CASE WHEN {0} IS NOT NULL THEN coalesce(array_to_string({0}, {1}), '') END",
    ),
}
