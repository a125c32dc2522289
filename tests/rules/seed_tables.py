"""The tables of the articles that first described the rules, and what they say of them."""

from __future__ import annotations

from strategies.ir import BIGINT, INT, STRING, Column, Database, Table

_ORDER = (Column("order_id", BIGINT), Column("user_id", STRING))

ORDERS = Database(
    (
        Table(
            "orders1",
            _ORDER,
            ((1, "user1"), (2, "user2"), (3, "user3"), (3, "user3"), (4, "user1"), (5, "user1"), (5, "user1")),
        ),
        Table(
            "orders2",
            _ORDER,
            ((1, "user1"), (2, "user2"), (3, "user3"), (3, "user3"), (4, "user1"), (6, "user1")),
        ),
    )
)
"""Of the article on EXCEPT ALL and INTERSECT ALL in Spark 2.4."""

_TRIPLE = (Column("id", INT), Column("name", STRING), Column("triple", STRING))

TRIPLES = Database(
    (
        Table("except_left", _TRIPLE, ((0, "zero", "000"), (1, "one", "111"))),
        Table("except_right", _TRIPLE, ((1, "one", "111"),)),
        Table("except_wide", (*_TRIPLE, Column("extra_column", STRING)), ()),
    )
)
"""Of the page on the logical operator Except."""

PEOPLE = Database(
    (
        Table("ds1", (Column("id", STRING), Column("age", INT)), (("Michael", 9), ("Andy", 7), ("Justin", 11))),
        Table("ds2", (Column("no", STRING), Column("age", INT)), (("Michael", 29), ("Andy2", 30), ("Justin2", 11))),
    )
)
"""Of the article on EliminateOuterJoin: persons and records."""

FLIGHTS = Database(
    (
        Table(
            "flights",
            (Column("year", STRING), Column("month", STRING), Column("carrier", STRING)),
            (
                ("2008", "1", "WN"),
                ("2008", "1", "WN"),
                ("2008", "2", None),
                ("2008", "3", "AA"),
                ("2007", "12", "AA"),
                ("2007", None, "AA"),
                ("2007", "NA", "AA"),
                (None, None, None),
            ),
        ),
    )
)
"""A table like that of the article on a rule of one's own for EXCEPT: months, as text."""
