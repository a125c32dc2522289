"""The common compiler of Spark's and DuckDB's SQL, put together from its parts.

Each dialect is a subclass, with a ``visit_<Node>`` or an entry in ``UNSUPPORTED`` for every node, and a template for
every function of the query algebra. No code tests which dialect it compiles.
"""

from __future__ import annotations

from oracles.sql.grouping import Grouping
from oracles.sql.nested import Nested
from oracles.sql.scalars import Scalars
from oracles.sql.subqueries import Subqueries
from oracles.sql.windows import Windows
from oracles.sql.writes import Writes


class Compiler(Writes, Grouping, Windows, Subqueries, Scalars, Nested):
    """Compiles a query to the text of one SELECT or statement; subclasses define the syntax of their dialect."""
