"""The databases of a query: the user's own rows first, then drawn ones that fit the columns."""

from __future__ import annotations

import pyarrow as pa
import pytest

from assay.queries.cases import datasets
from assay.queries.given import plain_cell
from assay.queries.prepared import Prepared
from assay.queries.schema import Schema
from assay.queries.texts import query_text
from assay.session.options import Options
from oracles.answers.outcome import canonical
from oracles.engines.arrow import arrow_type, arrow_value
from strategies.draw.values import domain
from strategies.ir import (
    ATOMIC,
    BINARY,
    DOUBLE,
    FLOAT,
    INT,
    STRING,
    Array,
    Column,
    Database,
    Decimal,
    Map,
    Struct,
    Table,
    Verbatim,
)

T = Table("t", (Column("a", INT), Column("v", STRING), Column("c", STRING), Column("w", Decimal(38, 2))))
U = Table("u", (Column("a", INT),))
OWN = ((7, "ab", "c  ", "1.00"), (7, "ab", "c  ", "1.00"))
SCHEMA = Schema(database=Database((T, U)), lengths={("t", "v"): (2, False), ("t", "c"): (3, True)}, given={"t": OWN})


def drawn(count, text="SELECT * FROM t, u WHERE v = 'abcdef'"):
    query = query_text("q", text)
    asked = Prepared(
        query=query,
        verbatim=Verbatim(text, query.duckdb),
        columns=(),
        reads=frozenset({"t", "u"}),
        all_rows=None,
    )
    options = Options(
        seed=1,
        max_examples=count,
        rules=(),
        rule_jars=(),
        extensions=(),
        off=None,
        spark_conf={},
        spark_master="local[1]",
        spark_home=None,
        failures=None,
        summary_json=None,
        by="both",
    )
    ((_, cases),) = datasets(options, SCHEMA, None, None)
    return [case.database for case in cases(asked)]


def test_the_users_own_rows_are_checked_first_as_they_are():
    first, *others = drawn(20)
    assert (first.table("t").rows, first.table("u").rows != ()) == (OWN, True)
    assert all(each.table("t").rows != OWN for each in others)


def test_drawn_rows_have_values_of_the_users_own():
    cells = [row[0] for each in drawn(20)[1:] for row in each.table("t").rows]
    assert 0.1 < cells.count(7) / len(cells) < 0.9


def test_texts_have_the_lengths_of_their_columns():
    rows = [row for each in drawn(40) for row in each.table("t").rows]
    assert {len(row[1]) for row in rows if row[1] is not None} == {0, 1, 2}
    assert {len(row[2]) for row in rows if row[2] is not None} == {3}


def test_wide_decimals_have_values_of_all_their_digits():
    values = {row[3] for each in drawn(40) for row in each.table("t").rows}
    assert {f"{'9' * 36}.99", f"-{'9' * 36}.99"} <= values


KINDS = (
    *ATOMIC.values(),
    Decimal(20, 3),
    Array(FLOAT),
    Struct((("p", BINARY), ("q", DOUBLE))),
    Map(STRING, Array(INT)),
)


def _parts(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


@pytest.mark.parametrize("kind", KINDS, ids=repr)
def test_an_engines_cell_is_read_as_the_value_that_a_table_holds(kind):
    values = [value for value in domain(kind) if (-0.0).hex() not in (value, *_parts(value))]  # the comparator has one
    if isinstance(kind, Map):  # and sorts entries
        values = [tuple(sorted(value)) for value in values]
    cells = canonical(pa.array([arrow_value(kind, value) for value in values], arrow_type(kind)))
    assert [plain_cell(kind, cell) for cell in cells] == values
    assert plain_cell(kind, None) is None


def test_bytes_that_are_no_text_are_refused():
    with pytest.raises(ValueError, match="no text in UTF-8"):
        plain_cell(STRING, ("string", b"\xff"))
