"""A case: one query, the tables it runs on, and how its legs are run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from strategies.ir.data import Database
from strategies.ir.relations import Relation, scans
from strategies.ir.types import InvalidQuery

Source = Literal["parquet", "orc", "csv", "cached", "local"]
SOURCES: tuple[Source, ...] = ("parquet", "orc", "csv", "cached", "local")
Form = Literal["sql", "dataframe"]
FORMS: tuple[Form, ...] = ("sql", "dataframe")


@dataclass(frozen=True, slots=True)
class Settings:
    """How both Spark legs run: nothing here may change an answer. The defaults are what shrinking ends at.

    ``source`` is where the tables are read from, ``form`` whether the query is SQL text or a DataFrame program
    (only where :data:`strategies.ir` nodes have one), ``aqe`` adaptive execution, ``codegen`` whole-stage code
    generation, ``partitions`` the number of shuffle partitions.
    """

    source: Source = "parquet"
    form: Form = "sql"
    aqe: bool = False
    codegen: bool = False
    partitions: int = 1


@dataclass(frozen=True, slots=True)
class Case:
    """``query`` over ``database``, which holds every table it scans, with the same columns."""

    query: Relation
    database: Database
    settings: Settings = Settings()

    def __post_init__(self) -> None:
        tables = {table.name: table.columns for table in self.database.tables}
        for scan in scans(self.query):
            if tables.get(scan.table) != scan.columns:
                raise InvalidQuery(f"Case: the database has no table {scan.table} with the columns {scan.columns}")
