"""Templates for functions of strings and binaries: Spark's, then DuckDB's."""

from __future__ import annotations

_ASCII = "octet_length({0}) = length({0}) AND octet_length({1}) = length({1})"
_ASCII_THERE = "strlen({0}) = length({0}) AND strlen({1}) = length({1})"

TEXT_WORDS: dict[str, tuple[str, str]] = {
    "upper": ("upper({})", "upper({})"),
    "lower": ("lower({})", "lower({})"),
    "length": ("length({})", "CAST(length({}) AS INTEGER)"),
    "octet_length": ("octet_length({})", "CAST(strlen({}) AS INTEGER)"),
    "bit_length": ("bit_length({})", "CAST(bit_length({}) AS INTEGER)"),
    "trim": ("trim({})", "trim({})"),
    "ltrim": ("ltrim({})", "ltrim({})"),
    "rtrim": ("rtrim({})", "rtrim({})"),
    "trim_both": ("trim(BOTH {1} FROM {0})", "trim({0}, {1})"),
    "trim_leading": ("trim(LEADING {1} FROM {0})", "ltrim({0}, {1})"),
    "trim_trailing": ("trim(TRAILING {1} FROM {0})", "rtrim({0}, {1})"),
    "concat": ("concat({}, {})", "({} || {})"),  # DuckDB's concat() would skip NULL
    "concat_ws": ("concat_ws({}, {}, {})", "concat_ws({}, {}, {})"),
    "replace": ("replace({}, {}, {})", "replace({}, {}, {})"),
    "translate": ("translate({}, {}, {})", "translate({}, {}, {})"),
    "repeat": ("repeat({}, {})", "repeat({}, {})"),
    "reverse": ("reverse({})", "reverse({})"),
    "starts_with": ("startswith({}, {})", "starts_with({}, {})"),
    "ends_with": ("endswith({}, {})", "ends_with({}, {})"),
    "contains": ("contains({}, {})", "contains({}, {})"),
    "position": ("instr({}, {})", "CAST(strpos({}, {}) AS INTEGER)"),
    "substring": ("substring({}, {}, {})", "substring({}, {}, {})"),
    "left": ("left({}, {})", "left({}, {})"),
    "right": ("right({}, {})", "right({}, {})"),
    "lpad": ("lpad({}, {}, {})", "lpad({}, {}, {})"),
    "rpad": ("rpad({}, {}, {})", "rpad({}, {}, {})"),
    "split_part": ("split_part({}, {}, {})", "split_part({}, {}, {})"),
    "split": ("split({}, {})", "string_split({}, {})"),
    "like": ("({} LIKE {} ESCAPE '$')", "({} LIKE {} ESCAPE '$')"),
    "ilike": ("({} ILIKE {} ESCAPE '$')", "({} ILIKE {} ESCAPE '$')"),
    "like_all": ("({} LIKE ALL ({}, {}))", "(({0} LIKE {1}) AND ({0} LIKE {2}))"),
    "like_any": ("({} LIKE ANY ({}, {}))", "(({0} LIKE {1}) OR ({0} LIKE {2}))"),
    "not_like_all": ("({} NOT LIKE ALL ({}, {}))", "(({0} NOT LIKE {1}) AND ({0} NOT LIKE {2}))"),
    "not_like_any": ("({} NOT LIKE ANY ({}, {}))", "(({0} NOT LIKE {1}) OR ({0} NOT LIKE {2}))"),
    "rlike": ("({} RLIKE {})", "regexp_matches({}, {})"),
    "regexp_replace": ("regexp_replace({}, {}, {})", "regexp_replace({}, {}, {}, 'g')"),
    "regexp_extract": ("regexp_extract({}, {}, {})", "regexp_extract({}, {}, {})"),
    "ascii": ("ascii({})", "ascii({})"),
    "chr": ("chr({})", "chr({})"),
    # DuckDB counts bytes, so this compares only ASCII.
    "levenshtein": (
        f"CASE WHEN {_ASCII} THEN levenshtein({{0}}, {{1}}) END",
        f"CASE WHEN {_ASCII_THERE} THEN CAST(levenshtein({{0}}, {{1}}) AS INTEGER) END",
    ),
    "md5": ("md5({})", "md5({})"),
    "sha256": ("sha2({}, 256)", "sha256({})"),
    "binary_length": ("length({})", "CAST(octet_length({}) AS INTEGER)"),
    "binary_concat": ("concat({}, {})", "({} || {})"),
    "hex": ("hex({})", "hex({})"),
    "base64": ("base64({})", "base64({})"),
}
