"""Queries that suit a rule of your own: a file to start from, for ``--shapes``.

Every public function without arguments returns a Hypothesis strategy of pairs, tables without rows and a query over
them; Assay draws the rows and how each query is run. (A strategy of whole ``Case`` values will do as well.) Half of the
queries on trial are then drawn from here. ``strategies/shapes`` has many more examples.
"""

from __future__ import annotations

from hypothesis import strategies as st

from strategies.draw.exprs import predicates
from strategies.draw.scopes import scope
from strategies.draw.tables import schemas
from strategies.ir import Distinct, Filter, Scan, SetOp


@st.composite
def except_of_one_table(draw):
    """``t WHERE p EXCEPT t WHERE q``, now and then with ALL or of distinct rows, which the rule has to leave alone."""
    schema = draw(schemas(max_tables=1))
    table = schema.tables[0]
    rows = Scan(table.name, table.columns)
    left, right = (Filter(rows, draw(predicates(scope(rows.fields), depth=1))) for _ in range(2))
    left = draw(st.sampled_from([left, left, left, Distinct(left)]))
    return schema, SetOp("except", left, right, all=draw(st.sampled_from([False, False, False, True])))
