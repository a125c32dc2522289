"""A query given as text, which runs unchanged."""

from __future__ import annotations

from dataclasses import dataclass

from strategies.ir.relations import Relation


@dataclass(frozen=True, slots=True)
class Verbatim(Relation):
    """One SELECT as text: always a whole query, whose tables and columns are unknown to the algebra.

    ``spark`` is its Spark SQL, ``duckdb`` the same query in DuckDB SQL, or '' if there is none for reason ``why_not``.
    ``keys`` are the columns of its answer, from 0, by which its ORDER BY orders first.
    """

    spark: str
    duckdb: str = ""
    why_not: str = ""
    keys: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not self.spark.strip():
            raise self._refuse("needs a text")
        if bool(self.duckdb) == bool(self.why_not):
            raise self._refuse("needs either words for DuckDB or the reason why there are none")
        self._outputs(())
