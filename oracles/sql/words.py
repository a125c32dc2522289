"""Templates for each function of the query algebra, by engine.

A word is a ``str.format`` template. Its positional fields are the arguments, each a complete expression; ``{first}`` is
the name of the first argument's type, ``{result}`` that of the result's.
"""

from __future__ import annotations

from collections.abc import Mapping

from oracles.sql.array_words import ARRAY_WORDS
from oracles.sql.number_words import NUMBER_WORDS
from oracles.sql.text_words import TEXT_WORDS
from oracles.sql.time_words import TIME_WORDS

_WORDS = {**TEXT_WORDS, **TIME_WORDS, **NUMBER_WORDS, **ARRAY_WORDS}
SPARK_FUNCTIONS: Mapping[str, str] = {name: spark for name, (spark, _) in _WORDS.items()}
DUCKDB_FUNCTIONS: Mapping[str, str] = {name: duckdb for name, (_, duckdb) in _WORDS.items()}
