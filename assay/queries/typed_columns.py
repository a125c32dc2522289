"""The columns of a schema whose types change the translation for DuckDB."""

from __future__ import annotations

from assay.queries.translation import ColumnTypes
from strategies.ir import FLOAT, Database, Map


def types_of(database: Database) -> ColumnTypes:
    """Names that are of FLOAT, or of maps, in every table that has them."""
    kinds: dict[str, set[object]] = {}
    for table in database.tables:
        for column in table.columns:
            kind = "map" if isinstance(column.type, Map) else column.type
            kinds.setdefault(column.name.casefold(), set()).add(kind)
    floats, maps = ({name for name, found in kinds.items() if found == {kind}} for kind in (FLOAT, "map"))
    return ColumnTypes(frozenset(floats), frozenset(maps))
