"""README and the pages of docs: every command line they show is one, and what they link and list is there."""

from __future__ import annotations

import re
import shlex
from configparser import ConfigParser
from importlib import import_module
from itertools import product
from pathlib import Path

import click
import pytest

from assay.commands.cli import COMMANDS
from assay.commands.pytest_runs import OF_PYTEST
from assay.options.shared import shared_options
from assay.session.ending import BadInput, Exit
from oracles.checks.finding_kind import FindingKind
from oracles.rules.points import Point

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
NAMES = [path.relative_to(ROOT).as_posix() for path in PAGES]

_FENCE = re.compile(r"^ *```\w*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_SHOWN = re.compile(r"(?:tox (?:run )?-e \S+|python -m assay)(?: .*)?")
_INLINE = re.compile(r"`((?:tox run -e [^\s`]+|python -m assay)(?: [^`]*)?)`")


def command_lines(text: str) -> list[str]:
    """The command lines of tox and of Assay that ``text`` shows, in blocks and within a line."""
    blocks = [line for block in _FENCE.findall(text) for line in block.splitlines()]
    shown = [found[0].split("  #")[0] for line in blocks if (found := _SHOWN.search(line))]
    return [line.split(" && ")[0].strip() for line in (*shown, *_INLINE.findall(_FENCE.sub("", text)))]


def environments() -> dict[str, str]:
    """The environments of tox, with the command of each."""
    tox = ConfigParser(interpolation=None)
    tox.read(ROOT / "tox.ini")
    found = {}
    for section in tox.sections():
        if section.startswith("testenv:"):
            name, brace, rest = section.removeprefix("testenv:").partition("{")
            factors = rest.rstrip("}").split(",") if brace else [""]
            found |= {name + factor: tox[section].get("commands", "") for factor in factors}
    return found


ENVIRONMENTS = environments()
# Options of the environments that are pytest's alone.
_OF_TESTS = click.Command("pytest", params=[*shared_options(), *OF_PYTEST])


def wrong(line: str) -> str | None:
    """What is wrong with a command line, if anything; files that it names need not be there."""
    words = shlex.split(line.replace("…", "x").replace("[", "").replace("]", ""))
    if words[:3] == ["python", "-m", "assay"]:
        name, arguments = words[3] if len(words) > 3 else "--help", words[4:]
        if name == "--help":
            return None
    else:
        at = words.index("-e") + 1
        environment, *more = words[at].split(",")
        if unknown := [each for each in (environment, *more) if each not in ENVIRONMENTS]:
            return f"no environment {unknown[0]}"
        if words[at + 1 : at + 2] not in ([], ["--"]):
            return f"{words[at + 1]} is for tox, not for the command: put -- before it"
        arguments = words[at + 2 :]
        command = ENVIRONMENTS[environment].replace("{[testenv:queries]commands}", ENVIRONMENTS["queries"])
        called = re.match(r"python -m assay (\S+)", command)
        if called is None:
            return _parsed(_OF_TESTS, arguments) if arguments and "pytest" in command else None
        name = called[1]
    if name not in COMMANDS:
        return f"no command {name}"
    return _parsed(import_module(f"assay.commands.{name.replace('-', '_')}").command, arguments)


def _parsed(command: click.Command, arguments: list[str]) -> str | None:
    try:
        command.make_context(command.name, arguments, resilient_parsing=False)
    except click.exceptions.Exit:  # --help
        return None
    except (BadInput, click.ClickException) as problem:
        text = problem.format_message() if isinstance(problem, click.ClickException) else str(problem)
        return None if "no such file" in text or "Missing" in text else text
    return None


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_command_line_that_is_shown_is_one(page: Path) -> None:
    assert [(line, said) for line in command_lines(page.read_text()) if (said := wrong(line))] == []


def test_command_lines_are_found() -> None:
    block = "```sh\npip install tox && tox run -e fuzz     # it\ntox run -e volume -- --scale 5\n```\n"
    text = f"Run `tox run -e fuzz -- -n 2`:\n\n{block}"
    assert command_lines(text) == ["tox run -e fuzz", "tox run -e volume -- --scale 5", "tox run -e fuzz -- -n 2"]
    assert sum(len(command_lines(page.read_text())) for page in PAGES) > 40


WRONG = {
    "an environment": ("tox run -e fuz", "no environment fuz"),
    "an environment of no release": ("tox run -e fuzz-spark34", "no environment fuzz-spark34"),
    "a command": ("python -m assay fuz", "no command fuz"),
    "an option": ("tox run -e nightly -- --budgets 8h", "No such option '--budgets'"),
    "a value": ("tox run -e volume -- --scale many", "--scale many: needs a number of rows"),
    "an option before --": ("tox run -e volume --scale 5", "put -- before it"),
    "an option of pytest's": ("tox run -e rules -- --key X", "No such option '--key'"),
}


@pytest.mark.parametrize(("line", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_command_line_is_seen(line: str, said: str) -> None:
    assert said in (wrong(line) or "")


_LINK = re.compile(r"\]\(([^)#\s]*)(#[^)\s]*)?\)")


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a page, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {"#" + re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def broken_links(page: Path, text: str) -> list[str]:
    """The links in ``text``, which is that of ``page``, that lead to no file or to no heading."""
    found = []
    for target, anchor in _LINK.findall(text):
        if "://" in target or target.startswith("mailto:"):
            continue
        file = (page.parent / target) if target else page
        there = file.exists() and (not anchor or file.suffix != ".md" or anchor in anchors(file.read_text()))
        if not there:
            found.append(f"{target}{anchor}")
    return found


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page, page.read_text()) == []


def test_a_broken_link_is_seen() -> None:
    text = "[a](docs/none.md) [b](docs/tutorial.md#none) [c](#none) [d](docs/tutorial.md) [e](https://x.y/z)"
    assert broken_links(ROOT / "README.md", text) == ["docs/none.md", "docs/tutorial.md#none", "#none"]


def test_readme_is_two_pages() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


def test_the_way_of_a_query_names_modules_that_exist_and_at_most_twenty() -> None:
    text = (ROOT / "docs/explanation/how-a-check-works.md").read_text()
    modules = re.findall(r"`((?:assay|oracles|strategies)/[\w/]+\.py)`", text)
    assert [name for name in modules if not (ROOT / name).is_file()] == []
    assert 10 <= len(set(modules)) <= 20


def listed(page: str) -> set[str]:
    """What stands in code in the first cells of the tables of a page."""
    cells = [line.split("|")[1] for line in (ROOT / page).read_text().splitlines() if line.startswith("|")]
    return {word for cell in cells for word in re.findall(r"`([^`]+)`", cell)}


def test_every_kind_of_finding_and_every_exit_code_is_listed() -> None:
    page = "docs/reference/verdicts.md"
    assert set(FindingKind) <= listed(page)
    codes = re.findall(r"^\| (\d) \|", (ROOT / page).read_text(), re.MULTILINE)
    assert set(map(int, codes)) >= set(Exit)


def test_every_injection_point_is_named() -> None:
    text = (ROOT / "docs/how-to/own-rule.md").read_text()
    assert [point for point in Point if f"`{point}`" not in text and f"@{point}`" not in text] == []


def test_every_option_is_listed() -> None:
    words = " ".join(listed("docs/reference/options.md"))
    commands = [import_module(f"assay.commands.{name.replace('-', '_')}").command for name in COMMANDS]
    options = {max(each.opts, key=len) for one in commands for each in one.params if isinstance(each, click.Option)}
    of_pytest = {max(each.opts, key=len) for each in OF_PYTEST}
    assert sorted(option for option in options - of_pytest if option not in words) == []


def test_environments_have_the_factors_of_releases() -> None:
    names = product(("fuzz", "rules", "mutants", "nightly", "replay"), ("-spark35", "-spark43", ""))
    assert {"".join(each) for each in names} <= ENVIRONMENTS.keys()
