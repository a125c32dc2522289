"""What the SQL of both engines has in common, put together from its parts.

A dialect is one subclass. It has a ``visit_<Node>`` or an entry in ``UNSUPPORTED`` for every node, a template
for every function of the query algebra, and nothing that asks which dialect it is.
"""

from __future__ import annotations

from oracles.sql.grouping import Grouping
from oracles.sql.nested import Nested
from oracles.sql.scalars import Scalars
from oracles.sql.subqueries import Subqueries
from oracles.sql.windows import Windows


class Compiler(Grouping, Windows, Subqueries, Scalars, Nested):
    """Renders a query as the text of one SELECT; subclasses say what their dialect spells differently."""
