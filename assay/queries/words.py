"""Words of a query that say what its answer depends on: the order of rows, something outside of them, or the engine."""

from __future__ import annotations

from collections.abc import Mapping

import sqlglot
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import TokenType

_FROM_OUTSIDE = (
    "rand randn random randstr uniform uuid shuffle monotonically_increasing_id spark_partition_id input_file_name "
    "input_file_block_start input_file_block_length current_timestamp current_date current_time curdate now "
    "localtimestamp unix_timestamp tablesample"
)
_BY_ORDER = (
    "first first_value last last_value any_value collect_list array_agg collect_set mode max_by min_by listagg "
    "string_agg row_number ntile lag lead nth_value approx_percentile percentile_approx zipwithindex rows"
)
_UNSTABLE = {
    **dict.fromkeys(_FROM_OUTSIDE.split(), "has an answer of its own each time"),
    **dict.fromkeys(_BY_ORDER.split(), "may go by the order in which rows come"),
}
_ENGINES = "current_user session_user version current_catalog current_database current_schema current_timezone typeof"
_VARIANTS = (
    "parse_json try_parse_json variant_get try_variant_get to_variant_object schema_of_variant is_variant_null "
    "schema_of_variant_agg variant_explode variant_explode_outer variant"
)
_COLLATIONS = ("collate", "collation", "collations")
_OF_SPARK = {
    **dict.fromkeys(_ENGINES.split(), "is answered by each engine for itself"),
    **dict.fromkeys(_VARIANTS.split(), "is about VARIANT, which sorts the fields whose order DuckDB's JSON keeps"),
    **dict.fromkeys(_COLLATIONS, "is about collations, which DuckDB has not got"),
}
"""By word, why DuckDB isn't asked: its answer would differ rightly. Both Spark legs give the same answer."""
_AFTER_WORDS = ("(", "BETWEEN", "UNBOUNDED")
_ALONE = ("current_", "session_user", "table", "variant", "collate")
"""Beginnings of words that count without an argument, too."""


def unstable(text: str) -> str:
    """Why the answer of ``text`` may depend on more than its tables' rows; '' if no such reason is seen."""
    return _found(text, _UNSTABLE, unread="can't be read")


def of_spark_alone(text: str) -> str:
    """Why DuckDB's answer to ``text`` would differ rightly; '' if no such reason is seen."""
    return _found(text, _OF_SPARK, unread="")


def _found(text: str, reasons: Mapping[str, str], *, unread: str) -> str:
    try:
        tokens = sqlglot.tokenize(text, dialect="spark")
    except SqlglotError:
        return unread
    for token, after in zip(tokens, [*tokens[1:], None], strict=False):
        word = token.text.casefold()
        why = reasons.get(word)
        quoted = token.token_type in (TokenType.STRING, TokenType.IDENTIFIER)
        called = after is not None and after.text.upper() in _AFTER_WORDS
        if why and not quoted and (called or word.startswith(_ALONE)):
            return f"{token.text} {why}"
    return ""
