"""Messages of other programs, commands and progress: one line each, and no terminal's codes."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from assay.queries.commands import command_of
from assay.queries.lines import one_line, spark_line
from assay.queries.progress import QueryProgress
from assay.queries.texts import query_text


def test_a_message_is_one_line_without_codes_of_a_terminal():
    assert one_line("a \x1b[4mb\x1b[0m\n\n  c", 5) == "a b c"


SYNTAX = (
    "org.apache.spark.ParseException: \n[PARSE] near 'b'. SQLSTATE: 42601 (line 2, pos 15)\n\n== SQL ==\nSELECT a b c"
)
SPARKS = {
    "a place in the user's text": (SYNTAX, True, "[PARSE] near 'b'. SQLSTATE: 42601 (line 2, pos 15)"),
    "a place in another text": (SYNTAX, False, "[PARSE] near 'b'. SQLSTATE: 42601"),
    "a release without SQLSTATE": ('[TYPE] no "T".(line 1, pos 122)\n\n== SQL ==\nSELECT', False, '[TYPE] no "T".'),
    "the plan": ("[COLUMN] no `a`.; line 1 pos 7;\n'Project ['a]\n+- Range", True, "[COLUMN] no `a`.; line 1 pos 7"),
    "a plain message": ("no more; files == none", True, "no more; files == none"),
}


@pytest.mark.parametrize(("message", "place", "line"), SPARKS.values(), ids=SPARKS)
def test_of_a_message_of_spark_its_sentence_is_told(message, place, line):
    assert spark_line(message, place=place) == line


def test_what_sqlglot_underlines_is_told_without_its_codes():
    text = "SELECT lag(a, 1, 2, 3, 4) OVER (ORDER BY a) FROM t"
    told = query_text("q", text).why_not
    assert ("sqlglot can't read it: " in told, "\x1b" in told) == (True, False), told


COMMANDS = {
    "SET spark.sql.ansi.enabled=false": "SET",
    "explain SELECT 1": "EXPLAIN",
    "-- first\nCREATE VIEW v AS SELECT 1": "CREATE",
    "SHOW TABLES": "SHOW",
    "DESCRIBE t": "DESCRIBE",
    "INSERT INTO t VALUES (1)": "INSERT",
    "SELECT set FROM t": "",
    "(SELECT 1)": "",
    "WITH a AS (SELECT 1) SELECT * FROM a": "",
    "FROM t SELECT a": "",
    "VALUES (1)": "",
    "SELEKT 1": "",
    "'": "",
}


@pytest.mark.parametrize(("text", "word"), COMMANDS.items(), ids=COMMANDS)
def test_a_command_is_known_by_its_first_word(text, word):
    assert command_of(text) == word


def lines(*, terminal, seconds):
    out, clock = StringIO(), iter(seconds)
    console = Console(file=out, force_terminal=terminal, width=200)
    with QueryProgress(3, console=console, clock=lambda: next(clock)) as progress:
        for number in range(3):
            progress.at(f"q{number}", number * 40)
            progress.done()
    return [line for line in out.getvalue().splitlines() if "queries |" in line]


def test_progress_in_a_pipe_is_a_line_now_and_then():
    assert lines(terminal=False, seconds=(0, 1, 16, 17)) == ["1 of 3 queries | 40 checks | at q1 | 16 s"]


def test_progress_on_a_terminal_prints_no_lines():
    assert lines(terminal=True, seconds=(0, 1, 16, 17)) == []
