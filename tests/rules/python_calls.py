"""Common parts of the tests of rules that extract functions in Python: a table, and what their shapes hold."""

from __future__ import annotations

from strategies.ir import INT, STRING, Column, Database, Relation, Table, UserCall, walk

NUMBERS = Database(
    (
        Table(
            "numbers",
            (Column("a", INT), Column("b", INT), Column("s", STRING)),
            ((1, 2, "x"), (1, 4, None), (2, None, ""), (None, 3, None)),
        ),
        Table("others", (Column("a", INT), Column("b", INT)), ((1, 3), (2, None), (None, 7))),
    )
)


def calls_python(query: Relation) -> bool:
    """Whether ``query`` calls a function in Python."""
    return any(isinstance(node, UserCall) and node.is_python for node in walk(query))
