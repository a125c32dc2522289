"""Common parts of the tests of rules about typed Datasets: a table, and queries as the programs that Spark runs."""

from __future__ import annotations

from oracles.engines.spark.frames import program
from strategies.ir import INT, STRING, Column, Database, Item, Node, Project, Relation, Scan, Settings, Table, scans
from strategies.shapes.typed_rows import P
from tests.rules.stock import Answer, answer

TYPED = Database(
    (
        Table(
            "t",
            (Column("a", INT), Column("b", INT), Column("s", STRING), Column("r", P)),
            (
                (1, 2, "x", (1, 2, "y")),
                (1, -4, None, (None, 3, None)),
                (2, None, "", None),
                (None, 3, None, (4, 5, "")),
            ),
        ),
    )
)
T = Scan("t", TYPED.tables[0].columns)
DATAFRAME = frozenset({"dataframe"})


def listed(child: Relation, **values: Node) -> Project:
    """Some values of ``child`` under new names."""
    return Project(child, tuple(Item(name, value) for name, value in values.items()))  # type: ignore[arg-type]


def numbers(child: Relation = T) -> Project:
    """The columns ``a`` and ``b``, whose rows can be counted."""
    fields = {field.name: field.column() for field in child.fields if field.name in ("a", "b")}
    return listed(child, **fields)


def answer_of(spark, query: Relation, conf=None) -> Answer:
    """The answer of ``query`` as a DataFrame program."""
    assert scans(query)
    return answer(spark, lambda session: program(session, query, Settings(form="dataframe")), conf)
