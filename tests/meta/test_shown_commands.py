"""Every command line that README, CONTRIBUTING and docs show exists, and the real command line takes its options."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.links import texts
from docs.shown_commands import PLACEHOLDER, TOOLS, Project, Shown, command_fault, commands_of, environments, tox_call
from tests.meta.accepted import accepts, file_accepts, module_accepts

ROOT = Path(__file__).resolve().parents[2]
PROJECT = Project.read(ROOT)
SHOWN = [
    pytest.param(shown, id=f"{path.relative_to(ROOT)}:{shown.line}-{index}")
    for path in texts(ROOT)
    for index, shown in enumerate(commands_of(path.read_text(encoding="utf-8")))
]


def fault(shown: Shown) -> str | None:
    """The fault of a shown command: its own, or that of its options."""
    return command_fault(shown, PROJECT) or option_fault(shown)


def option_fault(shown: Shown) -> str | None:
    """The objection of the real command line to the options of a command that exists; None where it takes them."""
    call = tox_call(shown.words)
    if call is not None:
        is_mention = shown.inline and not call.arguments
        named = [] if is_mention else [name for name in call.environments if name != PLACEHOLDER]
        faults = [accepts(name, call.arguments) for name in named]
        return next(filter(None, faults), None)
    if shown.words[:2] == ("python", "-m"):
        module, *arguments = shown.words[2:]
        return None if module in TOOLS else module_accepts(module, arguments)
    return file_accepts(shown.words[1], shown.words[2:]) if shown.words[0] == "python" else None


@pytest.mark.parametrize("shown", SHOWN)
def test_a_shown_command_is_one_of_ours(shown):
    assert fault(shown) is None


def test_commands_are_found():
    """A collection that found nothing would pass."""
    words = [shown.values[0].words for shown in SHOWN]
    assert len(words) > 80
    assert ("tox", "run", "-e", "mutants", "--", "--by", "shape", "-k", "MyRule") in words
    assert ("python", "-m", "assay", "seed-bench") in words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("```sh\ntox run -e fuzz -- --rule A   # a comment\n```", [(2, "tox run -e fuzz -- --rule A")]),
        ("```sh\npip install tox && tox run -e fuzz\n```", [(2, "tox run -e fuzz")]),
        (
            "```text\n  replay   tox run -e replay -- failures/a.json\n```",
            [(2, "tox run -e replay -- failures/a.json")],
        ),
        ("````text\n```sh\ntox run\n```\n````", [(3, "tox run")]),
        ("one\n`tox run -e\nlint,typing` and `tox`", [(2, "tox run -e lint,typing")]),
        ("`.ci/run -e slow`, and tox run in prose", [(1, ".ci/run -e slow")]),
        ("```sh\npython jars/build.py --java J\n```", [(2, "python jars/build.py --java J")]),
        ("```sql\nSELECT 'tox run'\n```", []),
    ],
    ids=["comment", "two commands", "behind a label", "fence in a fence", "inline", "CI", "a file", "in a literal"],
)
def test_commands_are_taken_from_a_text(text, expected):
    assert [(shown.line, shown.text) for shown in commands_of(text)] == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("tox run -e fuzz-spark40 -- --max-examples 300", None),
        ("tox run -e lint,typing", None),
        ("tox run -e fuzz -- --rules A", "--rules"),
        ("tox run -e fuzz -- stray", "stray"),
        ("tox run -e check-rule -- --record DIR", "--record"),
        ("tox run -e nightly -- --budget 8h", "--out"),
        ("tox run -e bench -- --max-examples 1", "--max-examples"),
        ("tox run -e report -- campaign --mutants m.json --nothing", "--nothing"),
        ("tox run -e mutants -- --by chance", "chance"),
        ("tox run -e lint -- --fix", "no arguments"),
        ("tox run -e matrix -- --out DIR --max-rounds 2", None),
        ("tox run -e matrix -- --out DIR --nothing", "--nothing"),
        ("tox run -e compare -- --left spark41", "--right"),
        ("tox run -e tpcds", "DIR"),
        ("tox run -e fuzz-spark99", "unknown environment"),
        ("tox run -e lint,fizz", "unknown environment: fizz"),
        ("tox walk -e lint", "unknown command"),
        ("python -m assay.nowhere", "no such module"),
        ("python -m assay seed-bench --nothing", "--nothing"),
        ("python -m assay benches", "no command benches"),
        ("python -m tests.blind.trial --only A --nothing", "--nothing"),
        ("python jars/built.py", "no such file"),
        ("python jars/build.py --nothing", "--nothing"),
    ],
)
def test_a_planted_fault_is_seen(command, expected):
    (shown,) = commands_of(f"```sh\n{command}\n```")
    found = fault(shown)
    assert (found is None) == (expected is None)
    assert (expected or "") in (found or "")


def test_a_mention_of_an_environment_needs_no_arguments():
    (shown,) = commands_of("`tox run -e compare` compares")
    assert fault(shown) is None


def test_a_module_without_a_known_parser_is_not_run():
    """A module that isn't known to parse its arguments first would be run."""
    assert (
        module_accepts("assay.fuzz.fuzzer", []) == "no parser is known of assay.fuzz.fuzzer: see tests/meta/accepted.py"
    )


def test_factors_are_environments_of_their_own():
    found = environments("[testenv:a{,-b,-c{1,2}}]\ncommands = {[more]x} {posargs}\n[more]\nx = python -m m\n")
    assert found == dict.fromkeys(("a", "a-b", "a-c1", "a-c2"), "python -m m {posargs}")
