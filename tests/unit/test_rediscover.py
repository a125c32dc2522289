"""Known bugs as a benchmark: what a ticket must say, how a witness is read, and what the end of its check means."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from assay.commands.cli import main
from assay.ledger.folder import Folder
from assay.ledger.read import Ledger
from assay.releases.rediscover.main import CheckedTicket, ended
from assay.releases.rediscover.met import looks_like, met_in
from assay.releases.rediscover.page import PAGE, replaced, text
from assay.releases.rediscover.standing import Standing, is_asked, result_text, standing
from assay.releases.rediscover.tables import InvalidTables, tables_of
from assay.releases.rediscover.tickets import Benchmark, InvalidTicket, Likeness, Ticket, load
from assay.session.ending import Exit
from oracles.answers.outcome import Raised, Rows
from oracles.checks.verdict import Verdict, excuse
from oracles.engines.duckdb import DuckdbEngine
from oracles.failures.failure import write_failure
from oracles.patterns.features import listed
from oracles.triage.divergences import fits_pattern
from oracles.triage.divergences import load as load_divergences
from strategies.ir import DOUBLE, FUNCTIONS, INT, LANGUAGES, STRING, USER_FUNCTIONS, Column, Table, Verbatim
from tests.unit.failure_samples import FINDING, checked_of, failure
from tests.unit.ledger_samples import FOUND, round_of

BENCHMARK = load()
TICKETS = BENCHMARK.tickets
WITNESSED = [ticket for ticket in TICKETS if ticket.witness is not None]

GOOD = """
tried = ["4.0.0", "4.3.0"]

[[ticket]]
id = "SPARK-1"
title = "a sum"
releases = ["4.0.0"]
found = { "4.0.0" = "rule: CollapseProject" }
like = { pattern = "made of: Aggregate", kinds = ["rule"] }

[ticket.witness]
setup = ["CREATE TABLE t (a INT)", "INSERT INTO t VALUES (1), (NULL)"]
query = "SELECT sum(a) AS s FROM t"
settings = { aqe = true }
"""


def read(path: Path, content: str) -> Benchmark:
    file = path / "tickets.toml"
    file.write_text(content)
    return load(file)


def test_a_ticket_is_read_with_its_witness(tmp_path):
    benchmark = read(tmp_path, GOOD)
    (ticket,) = benchmark.tickets
    assert (benchmark.tried, ticket.releases, ticket.url[-7:]) == (("4.0.0", "4.3.0"), ("4.0.0",), "SPARK-1")
    assert ticket.witness is not None
    assert ticket.witness.query == Verbatim("SELECT sum(a) AS s FROM t", "SELECT sum(a) AS s FROM t")
    assert ticket.witness.database.tables == (Table("t", (Column("a", INT),), ((1,), (None,))),)
    assert ticket.witness.settings.aqe


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('id = "SPARK-1"\n', "", "missing or unknown keys: id"),
        ('title = "a sum"', 'titel = "a sum"', "missing or unknown keys: titel, title"),
        ('title = "a sum"', 'title = ""', "needs a title"),
        ("[ticket.witness]", '[ticket.witness]\nwhy = ""', "a witness has a case, or setup and query"),
        ('"SELECT sum(a) AS s FROM t"', '" "', "needs a text"),
        ("CREATE TABLE t", "CREATE TABEL t", "syntax error"),
        ("t (a INT)", "t (a UTINYINT)", "column a has a type that is not drawn"),
        ("aqe = true", "aqua = true", "unexpected keyword"),
        ('releases = ["4.0.0"]', 'releases = ["4.0.0", "4.1.0"]', "needs a result for each release"),
        ('releases = ["4.0.0"]', 'releases = ["4.0.0"]\nmissed = "it is small"', "needs a result for each release"),
        ('releases = ["4.0.0"]', "releases = []", "found on a release that doesn't have it"),
        ('releases = ["4.0.0"]', 'releases = ["4.0.0"]\nrefused = ["4.0.0"]', "refuses the witness"),
        ('releases = ["4.0.0"]', 'releases = ["4.0.0"]\nrefused = ["2.0.0"]', "2.0.0 was not tried"),
        (
            'releases = ["4.0.0"]',
            'releases = ["4.0.0"]\nwhy_not = "there is one"',
            "needs either a witness or the reason",
        ),
        ("made of: Aggregate", "nothing", "no pattern 'nothing'"),
        ('tried = ["4.0.0", "4.3.0"]', "", "needs tried and tickets"),
        ("[[ticket]]", GOOD.partition("\n\n")[2] + "\n[[ticket]]", "a ticket stands twice"),
        ("[[ticket]]", "[[ticket", "tickets.toml: "),
    ],
    ids=[
        "no id",
        "typing error",
        "empty title",
        "unknown key of a witness",
        "empty query",
        "wrong statement",
        "type",
        "setting",
        "release without a result",
        "missed without need",
        "result of another release",
        "shown and refused",
        "release not tried",
        "witness and no witness",
        "pattern",
        "nothing tried",
        "twice",
        "no TOML",
    ],
)
def test_a_wrong_ticket_is_refused_by_what_is_wrong(tmp_path, old, new, said):
    assert old in GOOD
    with pytest.raises(InvalidTicket, match=re.escape(said)):
        read(tmp_path, GOOD.replace(old, new, 1))


def test_tables_keep_null_and_the_doubles_that_equal_others():
    (table,) = tables_of(
        ["CREATE TABLE t (d DOUBLE, s STRING)", "INSERT INTO t VALUES ('-0.0', ''), ('nan', NULL)"]
    ).tables
    assert table == Table("t", (Column("d", DOUBLE), Column("s", STRING)), (("-0x0.0p+0", ""), ("nan", None)))


def test_tables_come_in_the_order_of_their_statements():
    made = tables_of(["CREATE TABLE z (a INT)", "CREATE TABLE a (a INT)"])
    assert [(table.name, table.rows) for table in made.tables] == [("z", ()), ("a", ())]


@pytest.mark.parametrize("statement", ["CREATE TABLE t (a UTINYINT)", "CREATE TABLE t (a TIME)", "CREATE"])
def test_other_tables_are_refused(statement):
    with pytest.raises(InvalidTables):
        tables_of([statement])


@pytest.mark.parametrize("ticket", TICKETS, ids=lambda ticket: ticket.id)
def test_a_ticket_of_the_benchmark_is_of_spark(ticket):
    assert re.fullmatch(r"SPARK-\d{5}", ticket.id)
    assert list(ticket.releases) == [release for release in BENCHMARK.tried if release in ticket.releases] != []


@pytest.mark.parametrize("ticket", WITNESSED, ids=lambda ticket: ticket.id)
def test_a_witness_is_a_query_of_duckdb(ticket):
    """Without an answer of DuckDB's, a bug that shows whatever is off would not be seen. One witness has to raise."""
    with DuckdbEngine() as duckdb:
        outcome = duckdb.run(ticket.witness.query, ticket.witness.database)
    assert isinstance(outcome, Raised if ticket.id == "SPARK-48503" else Rows), outcome


@pytest.mark.parametrize("release", ["3.5.0", "4.0.0", "4.1.0", "4.3.0"])
def test_checks_find_95_of_100_tickets_whose_features_are_drawn(release):
    there = [ticket for ticket in TICKETS if release in ticket.releases and not ticket.needs]
    found = [ticket for ticket in there if release in ticket.found]
    assert len(found) >= 0.95 * len(there) > 0


def test_the_table_of_the_docs_is_made_of_the_tickets():
    """``python -m assay.releases.rediscover.page`` writes it anew."""
    page = PAGE.read_text(encoding="utf-8")
    assert page == replaced(page, text(BENCHMARK))
    assert all(ticket.id in page for ticket in TICKETS)


AGREE = Verdict(name="agree", reason="all equal")
TICKET: Ticket = replace(
    WITNESSED[0], id="SPARK-1", releases=("4.0.0",), found={"4.0.0": "rule: X"}, refused=("3.5.0",)
)
SMALL = Benchmark(("3.5.0", "4.0.0", "4.3.0"), (TICKET,))
MISSED = replace(TICKET, found={}, missed="it is small")


@pytest.mark.parametrize(
    ("ticket", "spark", "verdict", "expected"),
    [
        (TICKET, "4.0.0", FINDING, Standing.FOUND),
        (TICKET, "4.0.0", excuse(FINDING, "SPARK-1"), Standing.FOUND),
        (TICKET, "4.0.0", AGREE, Standing.MISSED),
        (MISSED, "4.0.0", AGREE, Standing.MISSED_AS_KNOWN),
        (MISSED, "4.0.0", FINDING, Standing.NO_LONGER_MISSED),
        (TICKET, "4.3.0", AGREE, Standing.MENDED),
        (TICKET, "4.3.0", FINDING, Standing.BACK),
        (TICKET, "4.2.1", FINDING, Standing.SEEN),
        (TICKET, "4.2.1", AGREE, Standing.NOT_SEEN),
    ],
    ids=lambda each: each.name if isinstance(each, Standing) else "",
)
def test_the_standing_is_the_end_of_the_check_beside_what_the_release_has(ticket, spark, verdict, expected):
    checked = replace(checked_of(), verdict=verdict)
    assert standing(SMALL, ticket, spark, checked) is expected


def test_what_is_not_asked_has_a_standing_of_its_own():
    bare = replace(TICKET, witness=None, why_not="it needs a disk", found={})
    assert [is_asked(each, "3.5.0") for each in (TICKET, bare)] == [False, False]
    assert (is_asked(TICKET, "4.0.0"), is_asked(bare, "4.0.0")) == (True, False)
    assert [standing(SMALL, each, "3.5.0", None) for each in (TICKET, bare)] == [Standing.REFUSED, Standing.NO_WITNESS]


@pytest.mark.parametrize("stand", Standing)
def test_a_missed_bug_and_one_that_is_back_are_red(stand):
    red = {Standing.MISSED, Standing.BACK, Standing.NO_LONGER_MISSED}
    asked = CheckedTicket(TICKET, stand, "", "")
    assert ended([asked]) == (Exit.FOUND if stand in red else Exit.GREEN)


def test_a_result_names_the_kind_and_the_rules():
    checked = replace(checked_of(), verdict=FINDING)
    assert result_text(checked, ("A", "B")) == "rule: A, B"
    assert result_text(checked, ()) == "rule: no rule"
    assert result_text(replace(checked, verdict=excuse(FINDING, "X")), ("A",)) == "rule: A, known as X"
    assert result_text(replace(checked, verdict=AGREE), ()) == "agree"


SEEN = failure()
LIKE = Likeness("made of: Filter, SetOp:except", kinds=("rule",), rules=("ReplaceExceptWithFilter", "X"))


def test_a_finding_that_fits_all_looks_like_the_bug():
    assert looks_like(LIKE, SEEN)
    assert looks_like(Likeness("anything"), SEEN)


def alike(*tickets):
    """The tickets with a likeness, by their names."""
    return pytest.mark.parametrize("ticket", [each for each in tickets if each.like], ids=lambda ticket: ticket.id)


def calls_of(ticket):
    """The kinds and names of the calls that a ticket's likeness lists."""
    parts = [part.partition(":") for part in listed(ticket.like.pattern)] if ticket.like else []
    return [(kind, name) for kind, _, name in parts if kind in ("Call", "UserCall")]


@alike(*(ticket for ticket in TICKETS if ticket.found))
def test_the_finding_of_a_witness_is_of_a_kind_that_looks_like_the_bug(ticket):
    for result in ticket.found.values():
        kind, _, rules = result.partition(": ")
        assert not ticket.like.kinds or kind in ticket.like.kinds
        assert not ticket.like.rules or set(rules.split(", ")) & set(ticket.like.rules)


@alike(*(ticket for ticket in WITNESSED if not isinstance(ticket.witness.query, Verbatim)))
def test_a_witness_of_the_algebra_looks_like_the_bug(ticket):
    assert fits_pattern(ticket.like.pattern, ticket.witness)


@alike(*filter(calls_of, TICKETS))
def test_a_bug_looks_like_calls_of_functions_that_there_are(ticket):
    for kind, name in calls_of(ticket):
        language, _, function = name.partition("_")
        assert name in FUNCTIONS if kind == "Call" else language in LANGUAGES and function in USER_FUNCTIONS


@pytest.mark.parametrize(
    "like",
    [
        replace(LIKE, pattern="made of: Join:left"),
        replace(LIKE, kinds=("engine",)),
        replace(LIKE, rules=("X",)),
        replace(LIKE, raised="has not finished"),
    ],
    ids=["pattern", "kind", "rule", "error"],
)
def test_a_finding_that_lacks_one_thing_does_not(like):
    assert not looks_like(like, SEEN)


def campaign(folder: Path, *, spark: str = "4.0.0") -> Path:
    """A campaign's folder with one finding, SEEN, in three checks, and one check that SPARK-58383 excused."""
    file = write_failure(folder / "findings", SEEN)
    found = {**FOUND, "fingerprint": SEEN.fingerprint, "rules": list(SEEN.rules)}
    made = round_of(findings=(found,), excused={"SPARK-58383": 1})
    Folder(folder).write_round(replace(made, versions={**made.versions, "spark": spark}))
    assert file.is_file()
    return folder


def met(folder: Path, *tickets: Ticket) -> list[tuple[str, int, tuple[str, ...]]]:
    with Ledger([folder]) as ledger:
        return [(each.ticket, each.checks, each.rules) for each in met_in(ledger, tickets, load_divergences())]


def test_a_campaign_meets_a_ticket_in_as_many_checks_as_show_its_bug(tmp_path):
    alike, unlike = replace(TICKET, like=LIKE), replace(TICKET, id="SPARK-2", like=replace(LIKE, kinds=("engine",)))
    assert met(campaign(tmp_path), alike, unlike) == [("SPARK-1", 3, ("ReplaceExceptWithFilter",))]


def test_a_check_that_the_known_divergence_of_a_ticket_excused_counts(tmp_path):
    assert met(campaign(tmp_path), replace(TICKET, id="SPARK-58383")) == [
        ("SPARK-58383", 1, ("ReplaceExceptWithFilter",))
    ]


def test_a_campaign_on_a_release_without_the_bug_meets_nothing(tmp_path):
    assert met(campaign(tmp_path, spark="4.3.0"), replace(TICKET, like=LIKE)) == []


def test_a_folder_without_a_ledger_is_one_line(tmp_path, capsys):
    assert main(["rediscover", str(tmp_path / "nothing")]) == Exit.BAD_INPUT
    told = capsys.readouterr()
    assert (told.out, told.err.splitlines()) == (
        "",
        [f"{tmp_path / 'nothing'}: no campaign's folder: it has no ledger"],
    )
