"""The command over a user's queries refuses bad input before any engine starts."""

from __future__ import annotations

import pytest

from assay.commands.cli import main

BAD = {
    "no queries": (("--schema", "my.sql"), "needs --queries DIR, and --schema or --data"),
    "no tables": (("--queries", "queries"), "needs --queries DIR, and --schema or --data"),
    "no such folder": (("--schema", "my.sql", "--queries", "nowhere"), "--queries: no such file or folder"),
    "no such schema": (("--schema", "no.sql", "--queries", "queries"), "/no.sql: no such file or folder"),
    "no such schema, for two workers": (("--schema", "no.sql", "--queries", "queries", "-n", "2"), "--schema /"),
    "no such data": (("--data", "nowhere", "--queries", "queries"), "/nowhere: no such file or folder"),
    "a type that is not drawn": (
        ("--schema", "odd.sql", "--queries", "queries"),
        "table t: none of its columns has a type that can be drawn",
    ),
    "no data": (("--data", "queries", "--queries", "queries"), "queries: has no parquet files"),
    "no such query": (
        ("--schema", "my.sql", "--queries", "queries", "--without-duckdb", "x*"),
        "--without-duckdb x*: there is no such query: q",
    ),
    "no address of a server": (
        ("--schema", "my.sql", "--queries", "queries", "--connect", "localhost:15002"),
        "--connect localhost:15002: needs sc://host:port",
    ),
    "no port of a server": (
        ("--schema", "my.sql", "--queries", "queries", "--connect", "sc://localhost:port"),
        "--connect sc://localhost:port: needs sc://host:port",
    ),
    "no such rule": (
        ("--schema", "my.sql", "--queries", "queries", "--rule", "NoSuchRule"),
        "--rule NoSuchRule: no rule called 'NoSuchRule' in Spark ",
    ),
    "no such number": (
        ("--schema", "my.sql", "--queries", "queries", "--max-examples", "0"),
        "--max-examples 0: needs",
    ),
}


@pytest.fixture
def theirs(tmp_path, monkeypatch):
    (tmp_path / "my.sql").write_text("CREATE TABLE t (a INT)")
    (tmp_path / "odd.sql").write_text("CREATE TABLE t (a HYPERTYPE)")
    (tmp_path / "queries").mkdir()
    (tmp_path / "queries" / "q.sql").write_text("SELECT a FROM t")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOX_ENV_NAME", raising=False)  # else paths would be taken from tox's folder


@pytest.mark.usefixtures("theirs")
@pytest.mark.parametrize(("options", "said"), BAD.values(), ids=BAD)
def test_what_is_not_there_is_one_line(capsys, options, said):
    assert main(["queries", *options]) == 2
    told = capsys.readouterr().err
    assert (len(told.splitlines()), said in told) == (1, True), told
