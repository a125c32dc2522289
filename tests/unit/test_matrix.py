"""Campaigns on several releases, side by side: what is asked for, what a cell says, how long a bug has been there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assay.commands.cli import main
from assay.ledger.folder import Folder
from assay.releases.matrix import main as matrix
from assay.releases.matrix.table import (
    Bug,
    Column,
    as_json,
    bug_rows,
    cell,
    heads,
    markdown,
    read_column,
    rule_rows,
    shown_by,
)
from assay.releases.runner import FACTORS, Factor, command, parse_releases
from assay.session.ending import BadInput, Exit
from oracles.triage.divergences import load
from tests.unit.ledger_samples import round_of

NAMES = ("3.5.0", "spark35", "spark43")
KNOWN = next(entry for entry in load() if entry.id == "SPARK-58383")
(KNOWN_RULE,) = KNOWN.rules


def test_releases_are_tried_from_the_oldest_on() -> None:
    assert parse_releases("spark43, 3.5.10,spark35,3.5.9") == (
        Factor("3.5.9", "spark35", "3.5.9"),
        Factor("3.5.10", "spark35", "3.5.10"),
        Factor("spark35", "spark35"),
        Factor("spark43", "spark43"),
    )
    assert [each.name for each in parse_releases(",".join(FACTORS))] == list(FACTORS)


@pytest.mark.parametrize("text", ["", "spark36", "3.5", "2.4.8", "spark35,spark35", "latest", "3.5.0rc1"])
def test_what_is_no_release_is_said_in_a_line(text: str) -> None:
    with pytest.raises(BadInput, match="--releases"):
        parse_releases(text)


def test_a_version_gets_an_environment_of_its_own() -> None:
    newest, exact = (command(release, "replay", ["f.json"]) for release in parse_releases("spark40,4.0.0")[::-1])
    assert newest[-3:] == exact[-3:] == ["replay-spark40", "--", "f.json"]
    assert ("--workdir" in newest, "--workdir" in exact) == (False, True)


def test_the_environments_are_those_of_the_project() -> None:
    arguments = command(parse_releases("spark40")[0], "replay", [])
    assert Path(arguments[arguments.index("-c") + 1]).is_file()


def bug(*shown: str, rules: tuple[str, ...] = ("CombineFilters",), release: str = "spark35") -> Bug:
    return Bug(
        fingerprint="00ff" * 4,
        release=release,
        kind="rule",
        rules=rules,
        file=Path("f.json"),
        shown=dict(zip(NAMES, shown, strict=True)),
    )


@pytest.mark.parametrize(
    ("shown", "history"),
    [
        (("shows", "shows", "shows"), "in 3.5.0 or before, still in spark43"),
        (("shows", "gone", "gone"), "in 3.5.0 or before, fixed in spark35"),
        (("gone", "shows", "gone"), "since spark35, fixed in spark43"),
        (("gone", "shows", "not judged"), "since spark35, still in spark35"),
        (("not judged", "shows", "gone"), "in spark35 or before, fixed in spark43"),
        (("gone", "gone", "gone"), "not seen again"),
        (("not judged", "not judged", "not judged"), "not seen again"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_bugs_history_is_no_longer_than_what_was_judged(shown: tuple[str, ...], history: str) -> None:
    assert bug(*shown).history(NAMES) == history


@pytest.mark.parametrize(
    ("code", "shown"),
    [(Exit.FOUND, "shows"), (Exit.GREEN, "gone"), (Exit.UNDECIDED, "not judged"), (4, "not judged")],
)
def test_only_a_judged_replay_says_anything(code: int, shown: str) -> None:
    assert shown_by(code) == shown


RULES = {"CombineFilters": (3, 8), KNOWN_RULE: (2, 9), "ColumnPruning": (0, 0)}
COLUMN = Column(
    name="spark35",
    spark="3.5.9",
    checks=40,
    exit=1,
    rules=RULES,
    bugs=(bug("shows", "shows", "gone"),),
    excused={KNOWN.id: 2, "SPARK-1": 1},
)
OTHER = Column(
    name="spark43", spark="4.3.0", checks=50, exit=0, rules={"CombineFilters": (5, 6), "ColumnPruning": (0, 0)}
)


@pytest.mark.parametrize(
    ("column", "code"),
    [
        (OTHER, Exit.GREEN),
        (replace(OTHER, exit=Exit.FOUND), Exit.FOUND),
        (replace(OTHER, exit=Exit.SUITE_FAILED), Exit.SUITE_FAILED),
    ],
    ids=["green", "red without a finding", "failed"],
)
def test_a_campaign_that_is_red_is_not_green_in_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, column: Column, code: Exit
) -> None:
    monkeypatch.setattr(matrix, "_campaign", lambda *given: column)
    asked = parse_releases("spark43")
    assert matrix.run(asked, out=tmp_path, budget="1m", seed=1, others=()) == code


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("CombineFilters", ["3/8 convicted 1x", "5/6"]),
        (KNOWN_RULE, [f"2/9 {KNOWN.id}", ""]),
        ("ColumnPruning", ["never off", "never off"]),
        ("NoSuchRule", ["", ""]),
    ],
)
def test_a_cell_says_how_often_a_rule_fired_and_what_it_did(rule: str, said: list[str]) -> None:
    assert [cell(column, rule, load()) for column in (COLUMN, OTHER)] == said


def test_rules_that_were_never_off_have_no_row() -> None:
    assert [row[0] for row in rule_rows([COLUMN, OTHER], load())] == sorted(["CombineFilters", KNOWN_RULE])


def test_the_markdown_has_a_line_a_row_and_bars_are_kept_apart() -> None:
    text = markdown(["rule", *heads([COLUMN, OTHER])], [["a|b", "1", "2"]])
    assert text == "| rule | 3.5.9 (40 checks) | 4.3.0 (50 checks) |\n| --- | --- | --- |\n| a\\|b | 1 | 2 |\n"


def test_findings_are_told_with_all_releases() -> None:
    told = as_json([COLUMN, OTHER], COLUMN.bugs, 7)
    assert told["findings"][0]["shown"] == dict(zip(NAMES, ("shows", "shows", "gone"), strict=True))
    assert told["releases"]["spark35"]["rules"]["CombineFilters"] == {"fired": 3, "checked": 8}
    (row,) = bug_rows(COLUMN.bugs, NAMES)
    assert row == ["rule: CombineFilters (00ff00ff)", "spark35", "shows", "shows", "gone", row[-1]]


def test_a_campaigns_ledger_becomes_a_column(tmp_path: Path) -> None:
    Folder(tmp_path).write_round(round_of())
    column = read_column("spark43", tmp_path, 0)
    assert (column.spark, column.checks, column.rules["CombineFilters"]) == ("4.3.0", 5, (2, 3))
    assert column.excused == {"SPARK-1": 1}


def test_a_campaign_that_could_not_begin_is_an_empty_column(tmp_path: Path) -> None:
    column = read_column("spark43", tmp_path / "nothing", 4)
    assert (column.spark, column.checks, column.rules, column.exit, heads([column])) == (
        "",
        0,
        {},
        4,
        ["spark43 (0 checks)"],
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--releases", "spark1"], "no release 'spark1'"),
        (["--budget", "long"], "long"),
        (["--hypothesis-seed", "x"], "x"),
    ],
)
def test_what_cannot_be_asked_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert main(["matrix", "--out", str(tmp_path), *options]) == Exit.BAD_INPUT
    told = capsys.readouterr()
    assert (told.out, said in told.err, len(told.err.splitlines())) == ("", True, 1)
