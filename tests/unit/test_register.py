"""Entries that are made of findings: how they are written, and which witness a finding has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.replay.register import entry_text, toml
from oracles.answers.outcome import Outcome, Rows
from oracles.failures.failure import Failure
from oracles.failures.scripts.script import NoScript
from oracles.rules.rule import Rule
from oracles.triage.divergences import KNOWN, Divergence, Witness, load
from oracles.triage.witness_script import witness_of
from strategies.ir import (
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Array,
    Case,
    Column,
    Database,
    Decimal,
    Scan,
    Table,
)
from tests.unit.script_samples import BROKEN, FINDINGS, NO_SCRIPTS, OVERFLOW, found
from tests.unit.test_divergences import ENTRY

TYPES = (BOOLEAN, STRING, DOUBLE, Decimal(5, 2), BINARY, DATE, TIMESTAMP, TIMESTAMP_NTZ, Array(INT))
TYPE_NAMES = (
    "BOOLEAN",
    "STRING",
    "DOUBLE",
    "DECIMAL(5,2)",
    "BINARY",
    "DATE",
    "TIMESTAMP",
    "TIMESTAMP_NTZ",
    "ARRAY<INT>",
)
COLUMNS = tuple(Column(f"c{number}", kind) for number, kind in enumerate(TYPES))
ALL_TYPES = Case(Scan("t0", COLUMNS), Database((Table("t0", COLUMNS),)))


def rows_of_all_types() -> Rows:
    """A row of values, and one of NULLs."""
    values = {
        "bool": True,
        "string": "it's",
        "double": "nan",
        "decimal128(5, 2)": "-1.50",
        "binary": b"\x00\xff",
        "date32[day]": -1,
        "timestamp[us, tz=UTC]": 1,
        "timestamp[us]": 1_000_000,
        "list<int32>": (("int32", 1), None),
    }
    return Rows(tuple(values), (tuple(values.items()), (None,) * len(values)))


INSTEAD = replace(ENTRY, id="SPARK-2", witness=Witness(("SET a=b",), "SELECT 1", {}, "SELECT 2"))


@pytest.mark.parametrize("entry", [ENTRY, INSTEAD, *load()], ids=lambda entry: entry.id)
def test_what_is_written_is_read_again(entry: Divergence, tmp_path: Path) -> None:
    file = tmp_path / "entries.toml"
    file.write_text(entry_text(entry), encoding="utf-8")
    assert load(file) == (entry,)


@given(st.text(st.characters(codec="utf-8"), max_size=20))
def test_every_text_is_read_again(text: str) -> None:
    entry = replace(ENTRY, reason=f"x{text}")
    assert load_text(entry_text(entry)) == (entry,)


def load_text(text: str) -> tuple[Divergence, ...]:
    """The entries in a text."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "entries.toml"
        file.write_text(text, encoding="utf-8", newline="")
        return load(file)


def test_an_entry_stands_beside_the_others(tmp_path: Path) -> None:
    file = tmp_path / "entries.toml"
    file.write_text(KNOWN.read_text(encoding="utf-8") + "\n" + entry_text(INSTEAD), encoding="utf-8")
    assert load(file) == (*load(), INSTEAD)


def test_dates_lists_and_tables_are_tomls() -> None:
    assert toml(date(2030, 1, 2)) == "2030-01-02"
    assert toml(('a"b', "c\\")) == '["a\\"b", "c\\\\"]'
    assert toml({"a.b": "1"}) == '{ "a.b" = "1" }'


def witness(name: str, *, as_found: bool = False) -> Witness:
    """That of one of the sample findings."""
    (failure, rules), _ = FINDINGS[name]
    return witness_of(failure, rules, as_found=as_found)


def test_a_rules_witness_turns_the_rule_off() -> None:
    made = witness("rules")
    assert set(made.settings) == {
        "spark.sql.optimizer.excludedRules",
        "spark.sql.adaptive.optimizer.excludedRules",
        "spark.sql.optimizer.replaceExceptWithFilter",
    }
    assert made.instead == ""


def test_tables_are_in_a_schema_of_their_own() -> None:
    """All witnesses share one catalog."""
    (failure, _), _ = FINDINGS["rule"]
    made = witness("rule")
    assert made.setup[:2] == (f"CREATE SCHEMA w{failure.fingerprint}", f"USE w{failure.fingerprint}")
    assert [statement.partition(" (")[0] for statement in made.setup if "TABLE" in statement] == [
        "CREATE TABLE `t0`",
        "CREATE TABLE `t1`",
    ]


def test_as_found_has_the_settings_of_the_case() -> None:
    plain, as_found = (witness("everything set", as_found=each) for each in (False, True))
    assert set(plain.setup) < set(as_found.setup)
    assert "SET spark.sql.adaptive.enabled=true" in as_found.setup
    assert "SET spark.sql.ansi.enabled=false" in plain.setup


def test_where_nothing_goes_off_the_right_rows_stand_against_the_bug() -> None:
    made = witness("internal on both")
    assert (made.settings, made.instead) == ({}, "SELECT CAST(2 AS INT)")


def test_a_query_in_parts_stands_against_its_whole() -> None:
    (failure, _), _ = FINDINGS["metamorphic"]
    made = witness_of(failure, [], as_found=False)
    assert made.instead.count("UNION ALL") == 2


def test_duckdbs_witness_is_duckdbs() -> None:
    made = witness("engine, DuckDB's")
    assert (made.settings, '"t0"' in made.query) == ({"disable_optimizer": ""}, True)


def test_without_an_optimizer_to_turn_off_sparks_rows_stand_against_duckdbs() -> None:
    made = witness("engine, DuckDB's by a third engine")
    assert (made.settings, made.instead) == ({}, "SELECT CAST(1 AS INT)")
    assert '"t0"' in made.query


def test_sparks_own_fault_is_shown_on_spark() -> None:
    made = witness("engine, Spark's by a third engine")
    assert made.instead == "SELECT CAST(2 AS INT)"
    assert "`t0`" in made.query


def right(*legs: Outcome) -> str:
    """The query in place of one that answers in other types."""
    failure, rules = found("engine", "unknown", case=ALL_TYPES, on=legs[0], off=legs[0], duckdb=legs[-1])
    return witness_of(failure, rules, as_found=False).instead


def test_right_rows_are_written_in_their_types() -> None:
    assert right(rows_of_all_types()).split(" UNION ALL ") == [
        "SELECT CAST(true AS BOOLEAN), 'it\\'s', CAST('nan' AS DOUBLE), CAST('-1.50' AS DECIMAL(5,2)), X'00ff', "
        "CAST('1969-12-31' AS DATE), CAST('1970-01-01 00:00:00.000001' AS TIMESTAMP), "
        "CAST('1970-01-01 00:00:01.000000' AS TIMESTAMP_NTZ), array(CAST(1 AS INT), CAST(NULL AS INT))",
        f"SELECT {', '.join(f'CAST(NULL AS {name})' for name in TYPE_NAMES)}",
    ]


def test_no_right_rows_are_a_query_without_rows() -> None:
    assert right(Rows(rows_of_all_types().schema, ())).endswith(" WHERE false")


NO_WITNESSES = {
    "a mutant": (NO_SCRIPTS["a mutant"][0], "planted"),
    "time": (NO_SCRIPTS["time"][0], "too long"),
    "in memory": (FINDINGS["in memory"][0], "memory alone"),
    "a limit without an order": (FINDINGS["a limit without an order"][0], "several right answers"),
    "errors alone": (found("internal", "unknown", on=BROKEN, off=BROKEN, duckdb=OVERFLOW), "no leg has the right"),
}


@pytest.mark.parametrize(("finding", "why"), NO_WITNESSES.values(), ids=NO_WITNESSES)
def test_some_findings_have_no_witness(finding: tuple[Failure, Sequence[Rule]], why: str) -> None:
    with pytest.raises(NoScript, match=why):
        witness_of(*finding, as_found=False)
