"""Two releases' answers side by side: every way in which they may differ is seen, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.commands.cli import main
from assay.releases.compare import main as compare
from assay.releases.compare.answers import Answer, copy, read
from assay.releases.compare.main import text_of
from assay.releases.compare.sides import Difference, Sides, confirmed, likeness
from assay.releases.runner import parse_releases
from assay.session.ending import Exit
from oracles.answers.outcome import Kind, Outcome, Raised, Rows
from strategies.ir import INT, Case, Col, Column, Compare, Database, Filter, Lit, Scan, Table

TABLE = Table("t", (Column("a", INT),), ((1,), (1,), (None,)))
SCAN = Scan("t", TABLE.columns)
CASES = [Case(Filter(SCAN, Compare("=", Col("a", INT), Lit(INT, n))), Database((TABLE,))) for n in range(4)]


def rows(*values: int | None, kind: str = "int32") -> Rows:
    return Rows((kind,), tuple((None if value is None else (kind, value),) for value in values))


def raised(kind: Kind = "user") -> Raised:
    return Raised("DIVIDE_BY_ZERO", "22012", "by zero", kind)


@pytest.mark.parametrize(
    ("left", "right", "way"),
    [
        (rows(1, 2), rows(2, 1), "same rows"),
        (rows(1, 1), rows(1), "other rows"),
        (rows(None), rows(), "other rows"),
        (rows(1), rows(1, kind="int64"), "other rows"),
        (rows(1), raised(), "right alone raises"),
        (raised("internal"), rows(1), "left alone raises"),
        (raised(), raised(), "both raise"),
        (raised("internal"), raised("invalid-plan"), "both raise"),
        (raised(), raised("internal"), "one fails"),
        (raised("invalid-plan"), raised(), "one fails"),
        (rows(1), raised("timeout"), "not judged"),
        (raised("unsupported"), raised(), "not judged"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_outcomes_compare_in_one_way(left: Outcome, right: Outcome, way: str) -> None:
    assert likeness(left, right) == way


def side(spark: str, *outcomes: Outcome, rules: str = "CombineFilters") -> list[Answer]:
    return [Answer(spark, case, end, frozenset([rules])) for case, end in zip(CASES, outcomes, strict=False)]


LEFT = side("4.1.4", rows(1), rows(1), raised(), rows(1))
RIGHT = side("4.3.0", rows(1), rows(2), rows(1), rules="ColumnPruning")


def test_only_what_both_were_asked_is_compared() -> None:
    sides = Sides.of(LEFT, RIGHT)
    assert (len(sides.pairs), sides.missing) == (3, 1)
    assert dict(sides.counts()) == {"same rows": 1, "other rows": 1, "left alone raises": 1}
    assert [one.case for one in sides.differences()] == [CASES[1], CASES[2]]


@pytest.mark.parametrize(
    ("left", "right", "code"),
    [
        ([rows(1)] * 4, [rows(1)] * 4, Exit.GREEN),
        ([rows(1)] * 4, [rows(1), rows(1), raised(), rows(1)], Exit.FOUND),
        ([raised()] * 4, [raised()] * 4, Exit.UNDECIDED),
        ([raised("timeout")] * 4, [rows(1)] * 4, Exit.UNDECIDED),
        ([rows(1)] * 4, [], Exit.UNDECIDED),
    ],
    ids=["the same rows", "one differs", "all raise", "all too late", "one side alone"],
)
def test_green_needs_the_same_rows_of_half_of_the_queries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: list[Outcome], right: list[Outcome], code: Exit
) -> None:
    sides = Sides.of(side("4.1.4", *left), side("4.3.0", *right))
    monkeypatch.setattr(compare, "_asked", lambda *given: sides)
    asked = parse_releases("spark41,spark43")
    assert compare.run(*asked, out=tmp_path / "compared", checks=4, seed=1, others=()) == code


def test_rules_are_counted_on_each_side() -> None:
    assert Sides.of(LEFT, RIGHT).rules() == [("ColumnPruning", 0, 3), ("CombineFilters", 3, 0)]


def test_a_difference_that_is_not_there_again_in_the_same_way_is_none() -> None:
    first = Sides.of(LEFT, RIGHT).differences()
    assert confirmed(first, Sides.of(LEFT, RIGHT)) == first
    again = Sides.of(side("4.1.4", rows(1), rows(1), rows(3)), RIGHT)
    assert [one.case for one in confirmed(first, again)] == [CASES[1]]
    assert confirmed(first, Sides.of([], [])) == []


@pytest.mark.parametrize(
    ("duckdb", "has"),
    [(rows(1), "left"), (rows(2), "right"), (rows(3), "neither"), (raised(), "neither")],
    ids=["left", "right", "neither", "raises"],
)
def test_it_is_said_whose_rows_duckdb_has(duckdb: Outcome, has: str) -> None:
    one = Difference(CASES[1], rows(1), rows(2))
    assert one.sided(duckdb) == has
    assert text_of(one, duckdb, "spark41", "spark43").startswith(f"other rows; DuckDB has the rows of: {has}\n")


def test_a_difference_shows_each_row_with_its_copies() -> None:
    text = text_of(Difference(CASES[1], rows(1, 1), raised()), rows(1), "spark41", "spark43")
    assert "spark43  raises DIVIDE_BY_ZERO: by zero" in text
    text = text_of(Difference(CASES[1], rows(1, 1), rows(1)), rows(1), "spark41", "spark43")
    assert "(1)  spark41 x2  spark43 x1" in text


def test_answers_are_read_back_up_to_a_line_that_was_cut_off(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    copy(LEFT, file)
    assert list(read(file)) == LEFT
    file.write_text(file.read_text()[:-20])
    assert list(read(file)) == LEFT[:-1]
    assert list(read(tmp_path / "none.jsonl")) == []


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--left", "spark1", "--right", "spark43"], "--left: no release 'spark1'"),
        (["--left", "spark41", "--right", "spark1"], "--right: no release 'spark1'"),
        (["--left", "spark41", "--right", ""], "--right '': needs one"),
        (["--left", "spark41,spark42", "--right", "spark43"], "needs one release"),
        (["--left", "spark43", "--right", "spark43"], "with itself"),
        (["--left", "spark41", "--right", "spark43", "--max-examples", "0"], "--max-examples 0"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cannot_be_asked_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert main(["compare", "--out", str(tmp_path), *options]) == Exit.BAD_INPUT
    told = capsys.readouterr()
    assert (told.out, said in told.err, len(told.err.splitlines())) == ("", True, 1)
