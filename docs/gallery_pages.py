"""The pages of the gallery: one for each known divergence, made of its entry and of the results stored with it.

The standard library and Jinja are all that is needed: the build of the site uses this, and so does tests/meta.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import tomllib
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from assay.report.plan_sides import Line, sides
from oracles.failures.scripts.literals import literal

ROOT = Path(__file__).resolve().parents[1]
ENTRIES = ROOT / "oracles" / "triage" / "divergences.toml"
RESULTS = ROOT / "docs" / "_gallery" / "results.json"
NO_TICKET = "no ticket was found"
MAX_ROWS = 20
COMMAND = "python -m oracles.triage.witness --results docs/_gallery/results.json"

_TEMPLATES = Path(__file__).with_name("_gallery")
_PROGRAM = "spark."
_FOLDER = "{folder}"
_NAME = re.compile(r"\w[\w.-]*")
_SPARK_PLANS = (
    "The optimized plan of the other side, and that of the query: the analyzed one if the optimizer raises, and none "
    "if the analyzer does."
)
_DUCKDB_PLANS = "The plan of the other side, and that of the query, after the optimizer where it is on."
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


class InvalidEntry(ValueError):
    """An entry can't have a page; the message is one line that names it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table on the page: its cells, its copies, and whether the other side has as many copies of it."""

    cells: tuple[str, ...]
    copies: int
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer on the page; ``more`` rows are left out. With ``error``, there are neither columns nor rows."""

    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    more: int = 0
    error: str = ""
    message: str = ""


def load(entries: Path = ENTRIES, results: Path = RESULTS) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each entry of the file ``entries`` with its results by engine and release, in the order of the file.

    :raises InvalidEntry: an entry's id can't be the name of a page.
    """
    stored = json.loads(results.read_text(encoding="utf-8")) if results.exists() else {}
    found = tomllib.loads(entries.read_text(encoding="utf-8")).get("divergence", [])
    for entry in found:
        if not _NAME.fullmatch(entry["id"]) or entry["id"].lower() == "index":
            raise InvalidEntry(f"{entry['id']!r} can't be the name of a page: use letters, digits, - and .")
    return [(entry, stored.get(entry["id"], {})) for entry in found]


def page(entry: Mapping[str, Any], results: Mapping[str, Any]) -> str:
    """The page of ``entry`` in MyST's Markdown; ``results`` are its results by engine and release."""
    newest = max(results, key=_version, default=None)
    result = {} if newest is None else results[newest]
    titles = _titles(entry)
    return (
        _templates()
        .get_template("page.md.jinja")
        .render(
            entry=entry,
            who=who(entry),
            blocks=_blocks(entry["witness"]),
            engine=newest,
            seen=sorted(results, key=_version),
            ticket=_ticket(entry),
            titles=titles,
            answers=_answers(titles, result["query"], result["other"]) if result else None,
            tables=[_shown(name, rows) for name, rows in sorted(result["tables"].items())] if result else [],
            plans=sides("", _text(result["other"]["plan"]), _text(result["query"]["plan"])) if result else None,
            plan_note=_DUCKDB_PLANS if entry["blame"] == "duckdb" else _SPARK_PLANS,
            command=COMMAND,
            needs=_needs(entry, newest),
            script=script(entry, newest),
        )
    )


def table(entries: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]) -> str:
    """The table of the gallery's index, in Markdown: a line for each entry."""
    lines = ["| divergence | what goes wrong | who | releases | ticket |", "| --- | --- | --- | --- | --- |"]
    for entry, _ in entries:
        link, goes_wrong = f"{{doc}}`{entry['id']}`", prose(summary(entry["reason"]))
        cells = (link, goes_wrong, prose(who(entry)), prose(", ".join(entry["releases"])), _ticket(entry))
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def summary(reason: str) -> str:
    """The first sentence of ``reason``, in one line."""
    text = " ".join(reason.split())
    return re.split(r"(?<=[\w)\]])\.(?: |$)", text, maxsplit=1)[0]


def who(entry: Mapping[str, Any]) -> str:
    """The guilty rules, or the engine if there are none or any may be."""
    rules = [rule for rule in entry["rules"] if rule != "any"]
    return ", ".join(rules) or ("DuckDB" if entry["blame"] == "duckdb" else "Spark")


def script(entry: Mapping[str, Any], engine: str | None) -> str:
    """A script that needs nothing but the engine: it runs both sides of the witness, and prints both answers."""
    witness = entry["witness"]
    has_files = any(_FOLDER in text for text in (*witness["setup"], witness["query"]))
    return (
        _templates()
        .get_template("script.py.jinja")
        .render(
            entry=entry,
            needs=_needs(entry, engine),
            on_duckdb=entry["blame"] == "duckdb",
            witness=witness,
            in_folder=f'.replace("{_FOLDER}", folder)' if has_files else "",
            program=witness["query"] if witness["query"].startswith(_PROGRAM) else None,
            titles=_titles(entry),
        )
    )


def _needs(entry: Mapping[str, Any], engine: str | None) -> str:
    """The package that the script needs, of the release of the newest result."""
    package = "duckdb" if entry["blame"] == "duckdb" else "pyspark"
    return f"{package}=={engine.partition(' ')[2]}" if engine else package


def prose(text: str) -> Markup:
    """``text`` as Markdown that shows it as it is, in one line."""
    return Markup(_PUNCTUATION.sub(r"\\\1", " ".join(text.split())))


def fenced(text: str, language: str) -> Markup:
    """``text`` as a block of code, which nothing in it can end."""
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return Markup(f"{fence}{language}\n{text.rstrip()}\n{fence}")


def _ticket(entry: Mapping[str, Any]) -> Markup:
    if not entry["url"]:
        return Markup(NO_TICKET)
    name = prose(entry["url"].rstrip("/").rpartition("/")[2])
    return Markup(f"[{name}](<{_target(entry['url'])}>)")


def _target(url: str) -> str:
    """A URL as it stands between the angle brackets of a link."""
    return re.sub(r"[^\w:/.?=#&%~+-]", lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), url)


def _version(engine: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", engine)))


def _titles(entry: Mapping[str, Any]) -> tuple[str, str]:
    """How the two sides are called: the query as it stands, and the other one."""
    witness = entry["witness"]
    if "instead" in witness:
        return "the query", "the same in other words"
    if entry["blame"] == "duckdb":
        return "with the optimizer", "without it"
    if any(key.endswith(".excludedRules") for key in witness["settings"]):
        return "under default settings", "with rules excluded"
    return "under default settings", "under other settings"


def _blocks(witness: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Heading, language and text of each block of code that makes up the witness."""
    statements = "\n".join(f"{each};" for each in witness["setup"])
    blocks = [("Setup", _language(statements), statements)] if statements else []
    query = witness["query"].strip()
    blocks.append(("Query", _language(query), query))
    if "instead" in witness:
        blocks.append(("The same in other words", _language(witness["instead"]), witness["instead"].strip()))
    else:
        lines = "\n".join(f"{key}={value}" if value else key for key, value in witness["settings"].items())
        blocks.append(("Settings of the other side", "properties", lines))
    return blocks


def _language(code: str) -> str:
    """The name of the lexer; none of SQL's knows the folder's name in braces."""
    return "python" if code.startswith(_PROGRAM) else "text" if _FOLDER in code else "sql"


def _answers(titles: tuple[str, str], query: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[Shown, Shown]:
    """The answer of the other side, and that of the query: in the order of the plans."""
    queried, others = (Counter(map(tuple, side.get("rows", ()))) for side in (query, other))
    return _shown(titles[1], other, queried), _shown(titles[0], query, others)


def _shown(title: str, answer: Mapping[str, Any], other: Counter[tuple[str, ...]] | None = None) -> Shown:
    """An answer, or a table's rows; rows of which ``other`` has another number are marked, and come first."""
    if "error" in answer:
        return Shown(title, error=answer["condition"], message=answer["message"])
    counted = Counter(map(tuple, answer["rows"]))
    rows = [Row(cells, copies, other is not None and other[cells] != copies) for cells, copies in counted.items()]
    rows.sort(key=lambda row: not row.differs)
    return Shown(title, tuple(answer["columns"]), tuple(rows[:MAX_ROWS]), max(0, len(rows) - MAX_ROWS))


def _text(plan: Sequence[str]) -> str:
    return "\n".join(plan)


def visible(text: str) -> Markup:
    """``text`` in HTML, without an empty line, which would end the block of HTML that it stands in."""
    signs = (sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)
    return escape("".join(signs))


def _line(line: Line) -> Markup:
    return Markup().join(
        Markup("<mark>{}</mark>" if piece.marked else "{}").format(visible(piece.text)) for piece in line.pieces
    )


def _wrapped(text: str) -> list[str]:
    """The lines of a comment."""
    return textwrap.wrap(" ".join(text.split()), 100, break_long_words=False, break_on_hyphens=False)


@cache
def _templates() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=lambda name: name is not None and name.endswith(".md.jinja"),
    )
    environment.filters |= {
        "fenced": fenced,
        "line": _line,
        "literal": literal,
        "prose": prose,
        "visible": visible,
        "wrapped": _wrapped,
        "zip": zip,
    }
    return environment
