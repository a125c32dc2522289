"""The bench takes these options, and refuses others in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.bench.options import SCALES, USUAL, BenchRequest
from assay.commands import bench
from assay.commands.cli import main
from assay.options.types import duration
from assay.session.ending import BadInput, Exit
from tests.unit.command_lines import parsed

TIMES = {"90s": 90.0, "30m": 1800.0, "2h": 7200.0, "0s": 0.0, "1.5m": 90.0}
BAD = {
    "no unit": ("--long-run", "30"),
    "no number": ("--warm-up", "m"),
    "negative": ("--long-run", "-1m"),
    "rounds": ("--rounds", "0"),
    "checks": ("--checks", "many"),
    "databases": ("--databases", "0"),
    "part": ("--parts", "paths,all"),
    "scale": ("--scale", "1000,many"),
    "seed": ("--hypothesis-seed", "x"),
    "rule": ("--rule", "missing.scala"),
    "unknown option": ("--fast", "1"),
    "no value": ("--rounds",),
}


def parse(*arguments: str) -> BenchRequest:
    """The run that a command line asks for."""
    return bench.request_of(**parsed(bench.command, *arguments))


@pytest.mark.parametrize(("text", "seconds"), TIMES.items(), ids=TIMES)
def test_times_have_a_unit(text: str, seconds: float) -> None:
    assert duration("--long-run", text, none=True) == seconds


@pytest.mark.parametrize("arguments", BAD.values(), ids=BAD)
def test_what_makes_no_sense_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", *arguments]) == Exit.BAD_INPUT
    said = capsys.readouterr()
    assert (said.out, len(said.err.splitlines()), arguments[0].lstrip("-") in said.err) == ("", 1, True)


def test_everything_but_what_takes_very_long_is_measured_unless_told_otherwise() -> None:
    asked = parse()
    assert (asked.parts, asked.long_run, asked.options.rules) == (frozenset(USUAL), 0.0, ())
    assert "volume" not in asked.parts


def test_files_are_beside_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOX_ENV_NAME", raising=False)
    monkeypatch.chdir(tmp_path)
    asked = parse("--summary-json", "figures.json", "--plot", "out/page.html")
    assert (asked.options.summary_json, asked.plot) == (tmp_path / "figures.json", tmp_path / "out" / "page.html")


def test_parts_are_named_one_by_one() -> None:
    assert parse("--parts", "growth, paths").parts == {"growth", "paths"}
    assert (parse("--parts", "volume").parts, parse().scales) == ({"volume"}, SCALES)
    assert parse("--scale", "1000,20000").scales == (1_000, 20_000)
    with pytest.raises(BadInput, match="there is no 'speed'; there are paths, databases, workers, growth"):
        parse("--parts", "speed")
