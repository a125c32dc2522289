"""Templates for functions of arrays: Spark's, then DuckDB's.

No column of the query algebra has the name of a lambda's variable here, and no lambda around has it, either.
"""

from __future__ import annotations

_NONE_MISSING = "len(list_filter({0}, lambda e_: e_ IS NULL)) = 0"
_NONE_MISSING_IN_OTHER = _NONE_MISSING.replace("{0}", "{1}")
_BOTH = "{0} IS NOT NULL AND {1} IS NOT NULL"
# Of equal elements the first one, which is where its position in its own array says; NULL and NaN equal themselves.
_FIRSTS = "list_filter({0}, lambda e_, i_: list_position({0}, e_) = i_ AND list_position({1}, e_) IS "

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
        f"CASE WHEN {_BOTH} THEN CAST(coalesce(list_position({{0}}, {{1}}), 0) AS BIGINT) END",
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
    "array_compact": ("array_compact({})", "list_filter({}, lambda e_: e_ IS NOT NULL)"),
    # Only Spark returns NULL if an argument is NULL.
    "array_concat": (
        "concat({}, {})",
        f"CASE WHEN {_BOTH} THEN list_concat({{0}}, {{1}}) END",
    ),
    "array_union": (
        "array_union({}, {})",
        f"CASE WHEN {_BOTH} THEN list_filter(list_concat({{0}}, {{1}}),"
        " lambda e_, i_: list_position(list_concat({0}, {1}), e_) = i_) END",
    ),
    "array_except": ("array_except({}, {})", f"CASE WHEN {_BOTH} THEN {_FIRSTS}NULL) END"),
    "array_intersect": ("array_intersect({}, {})", f"CASE WHEN {_BOTH} THEN {_FIRSTS}NOT NULL) END"),
    # A NULL in one of two arrays with elements might be in the other.
    "arrays_overlap": (
        "arrays_overlap({}, {})",
        f"CASE WHEN {_BOTH} THEN CASE WHEN list_has_any({{0}}, {{1}}) THEN true"
        f" WHEN len({{0}}) = 0 OR len({{1}}) = 0 OR ({_NONE_MISSING} AND {_NONE_MISSING_IN_OTHER}) THEN false END END",
    ),
    "array_append": ("array_append({}, {})", "CASE WHEN {0} IS NOT NULL THEN list_append({0}, {1}) END"),
    "array_prepend": ("array_prepend({}, {})", "CASE WHEN {0} IS NOT NULL THEN list_prepend({1}, {0}) END"),
    "array_remove": (
        "array_remove({}, {})",
        "CASE WHEN {1} IS NOT NULL THEN list_filter({0}, lambda e_: e_ IS DISTINCT FROM {1}) END",
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
