"""A query that is given as text, and taken as it is."""

from __future__ import annotations

from dataclasses import dataclass

from strategies.ir.relations import Relation


@dataclass(frozen=True, slots=True)
class Verbatim(Relation):
    """One SELECT in the words of each engine: always a whole query, of which the algebra knows neither tables nor
    columns.

    ``duckdb`` is the same question in DuckDB's words; '' where there is none, and ``why_not`` says why.
    """

    spark: str
    duckdb: str = ""
    why_not: str = ""

    def __post_init__(self) -> None:
        if not self.spark.strip():
            raise self._refuse("needs a text")
        if bool(self.duckdb) == bool(self.why_not):
            raise self._refuse("needs either words for DuckDB or the reason why there are none")
        self._outputs(())
