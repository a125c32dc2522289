"""The recipes of docs/how-to/in-your-build.md: each is well formed, calls what there is, and says it was never run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from xml.etree import ElementTree

import pytest
import tomllib
import yaml

from tests.meta.accepted import assay_accepts

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "how-to" / "in-your-build.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTIONS = {part.partition("\n")[0]: part for part in re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]}
BLOCKS = {name: found.groups() for name, part in SECTIONS.items() if (found := _BLOCK.search(part))}
RECIPES = [name for name in BLOCKS if name != "Install the command"]
CALL = re.compile(r"\bassay (check-rule .+?)(?=['\"]?$)", re.MULTILINE)


def unbalanced(text: str) -> str:
    """A bracket of ``text``, outside of its strings, that closes nothing or is never closed; '' if there is none."""
    bare = re.sub(r'"[^"\n]*"|\'[^\'\n]*\'', "", text)
    pairs, still = {")": "(", "]": "[", "}": "{"}, list[str]()
    for sign in bare:
        if sign in pairs.values():
            still.append(sign)
        elif sign in pairs and (not still or still.pop() != pairs[sign]):
            return sign
    return "".join(still[-1:])


def fault(language: str, text: str) -> str:
    """The fault of a block of that language; '' where nothing is. Of Groovy and Scala only brackets are read."""
    try:
        if language == "yaml":
            return "" if isinstance(yaml.safe_load(text), dict) else "no mapping"
        if language == "xml":
            ElementTree.fromstring(text)
            return ""
    except (yaml.YAMLError, ElementTree.ParseError) as error:
        return str(error)
    return unbalanced(text)


def test_there_is_a_recipe_for_each() -> None:
    assert {name: BLOCKS[name][0] for name in RECIPES} == {
        "GitHub": "yaml",
        "GitLab": "yaml",
        "Jenkins": "groovy",
        "Maven": "xml",
        "sbt": "scala",
    }


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_well_formed(name: str) -> None:
    assert fault(*BLOCKS[name]) == ""


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_that_was_never_run_says_so(name: str) -> None:
    assert re.search(r"\b[Nn]ever run\b", SECTIONS[name].partition("```")[0])


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("yaml", "a: [b"),
        ("yaml", "a\n"),
        ("xml", "<a><b></a>"),
        ("groovy", "a { b { c() }"),
        ("scala", "val a = f(1]"),
        ("scala", "}"),
    ],
    ids=["open list", "no mapping", "crossed tags", "never closed", "another bracket", "closes nothing"],
)
def test_a_broken_block_is_seen(language: str, text: str) -> None:
    assert fault(language, text)


def arguments_of(name: str) -> list[str]:
    """The arguments of ``assay`` in a recipe."""
    language, text = BLOCKS[name]
    if language == "xml":
        return [each.text or "" for each in ElementTree.fromstring(text).iter("argument")]
    if language == "scala":
        (call,) = re.findall(r'Seq\("assay", (.+)\)', text)
        return [word.strip().strip('"') for word in call.split(",")]
    (call,) = CALL.findall(text)
    return shlex.split(call)


@pytest.mark.parametrize("name", [name for name in BLOCKS if name not in ("GitHub", "Install the command")])
def test_a_recipe_calls_a_command_that_there_is(name: str) -> None:
    assert arguments_of(name)[0] == "check-rule"
    assert assay_accepts(arguments_of(name)) is None


def test_the_commands_of_the_installation_are_there() -> None:
    calls = [found for part in PAGE.split("```sh\n")[1:] for found in CALL.findall(part.partition("```")[0])]
    assert len(calls) == 2
    assert [assay_accepts(shlex.split(call)) for call in calls] == [None, None]


def test_the_workflow_gives_the_action_inputs_that_it_has() -> None:
    steps = yaml.safe_load(BLOCKS["GitHub"][1])["jobs"]["check"]["steps"]
    assert set(steps[-1]["with"]) <= set(ACTION["inputs"])


def test_every_extra_that_is_named_is_there() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    named = set(re.findall(r"\bassay\[(\w+)\]", PAGE)) | set(re.findall(r"`(spark\d+)`", PAGE))
    assert named == {name for name in groups if re.fullmatch(r"spark\d+", name)}
