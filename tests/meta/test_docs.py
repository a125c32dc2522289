"""The pages of docs and the README: links lead somewhere, modules exist, and the README stays short."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from assay.commands.cli import COMMANDS
from assay.commands.pytest_runs import OF_PYTEST
from assay.session.ending import Exit
from docs.links import anchors, broken_links, links, texts
from oracles.checks.finding_kind import FindingKind
from oracles.rules.points import Point
from tests.meta.accepted import command_of

ROOT = Path(__file__).resolve().parents[2]
TEXTS = texts(ROOT)
PAGE = (ROOT / "docs" / "explanation" / "how-a-check-works.md").read_text(encoding="utf-8")
PICTURE = (ROOT / "docs" / "_static" / "check.svg").read_text(encoding="utf-8")

README_LINES = 150
MODULES = 20
"""The most that a newcomer has to look at to follow one query from the draw to the failure file."""


def steps(page: str) -> list[tuple[int, str]]:
    """The numbered steps of the page, each with the module that it begins with."""
    return [(int(number), module) for number, module in re.findall(r"^(\d+)\. `([\w/]+\.py)`", page, re.MULTILINE)]


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path):
    assert list(broken_links(path, ROOT)) == []


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= README_LINES


def test_few_modules_lie_on_the_way_of_a_query():
    numbers = [number for number, _ in steps(PAGE)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert 0 < len(numbers) <= MODULES


def test_all_modules_on_the_way_are_steps():
    """A module that the text names otherwise, such as ``paths.py``, is one of the steps."""
    named = set(re.findall(r"`([\w/]+\.py)`", PAGE))
    modules = {module for _, module in steps(PAGE)}
    assert {name for name in named if not any(each.endswith(name) for each in modules)} == set()


@pytest.mark.parametrize("module", [module for _, module in steps(PAGE)])
def test_a_module_on_the_way_exists(module):
    assert (ROOT / module).is_file()


def test_the_picture_has_the_steps_of_the_page():
    shown = re.findall(r'class="n"[^>]*>(\d+)</text>\s*<text[^>]*class="m"[^>]*>([\w/.]+)</text>', PICTURE)
    drawn = {int(number): name for number, name in shown}
    assert sorted(drawn) == [number for number, _ in steps(PAGE)]
    assert [(number, module) for number, module in steps(PAGE) if not module.endswith(f"/{drawn[number]}")] == []


def test_every_page_is_reached_from_the_index():
    """A page that no other page links can't be found by a reader on GitHub, who has no navigation."""
    linked = {
        (path.parent / target.partition("#")[0]).resolve()
        for path in TEXTS
        for _, target in links(path.read_text(encoding="utf-8"))
    }
    pages = set((ROOT / "docs").rglob("*.md"))
    assert pages - linked == {ROOT / "docs" / "index.md"}


def test_no_page_loads_from_elsewhere():
    loads = re.compile(r"(?:src|href)=[\"']https?:|@import|url\(https?:")
    sources = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs" / "_static").iterdir()]
    assert [path.name for path in sources if loads.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a](nowhere.md)", "nowhere.md: no such file"),
        ("# A\n[a](#b)", "#b: no such heading"),
        ("[a]\n\n[a]: nowhere.md", "nowhere.md: no such file"),
        ("[a](../../x)", "../../x: outside the project"),
        ("[a](other.md#b)", "other.md#b: no such heading"),
    ],
    ids=["file", "heading", "reference", "outside", "heading of another file"],
)
def test_a_broken_link_is_seen(text, expected, tmp_path):
    (tmp_path / "other.md").write_text("# A\n")
    page = tmp_path / "page.md"
    page.write_text(text)
    assert [fault for _, fault in broken_links(page, tmp_path)] == [expected]


@pytest.mark.parametrize(
    "text", ["# A b, c\n[a](#a-b-c)", "```\n[a](nowhere.md)\n```", "[a](https://nowhere)", "[a](other.md#a)"]
)
def test_a_good_link_is_none(text, tmp_path):
    (tmp_path / "other.md").write_text("# A\n")
    page = tmp_path / "page.md"
    page.write_text(text)
    assert list(broken_links(page, tmp_path)) == []


def test_headings_of_one_name_are_numbered():
    assert anchors("# A `b`\n## A b\n") == {"a-b", "a-b-1"}


def listed(page: str) -> str:
    """The text of a page of docs."""
    return (ROOT / "docs" / page).read_text(encoding="utf-8")


def own_options(name: str) -> list[click.Option]:
    """The options of a command, those of pytest not counted."""
    return [each for each in command_of(name).params if isinstance(each, click.Option) and each not in OF_PYTEST]


LISTED = {
    "kinds of findings": (list(FindingKind), "reference/verdicts.md"),
    "injection points": (list(Point), "how-to/own-rule.md"),
    "commands": (list(COMMANDS), "reference/commands.md"),
    "options": (
        sorted({max(each.opts, key=len) for name in COMMANDS for each in own_options(name)}),
        "reference/options.md",
    ),
}


@pytest.mark.parametrize(("names", "page"), LISTED.values(), ids=LISTED)
def test_every_one_is_listed(names: list[str], page: str) -> None:
    words = set(re.findall(r"[\w-]+", listed(page)))
    assert [name for name in names if name not in words] == []


def test_every_exit_code_is_listed() -> None:
    codes = re.findall(r"^\| (\d) \|", listed("reference/exit-codes.md"), re.MULTILINE)
    assert sorted(map(int, codes)) == sorted(Exit)
