"""Known bugs of Spark as data: tickets, the releases that have them, and a witness for each that can be said.

A witness is a case that shows the bug on these releases. It is in ``tickets.toml`` as SQL text with its tables, or, if
SQL has no words for it, in a file of ``cases`` beside it, in the format of a failure file's case.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import tomllib

from assay.releases.rediscover.tables import InvalidTables, tables_of
from oracles.triage.divergences import is_pattern
from strategies.ir import Case, InvalidQuery, Settings, Verbatim
from strategies.ir.codec import from_plain

HERE = Path(__file__).parent
TICKETS = HERE / "tickets.toml"
URL = "https://issues.apache.org/jira/browse/"


class InvalidTicket(ValueError):
    """A ticket is malformed, incomplete, or contradicts itself."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """The findings of a campaign that show a ticket's bug. All that is given has to fit.

    ``pattern`` is one as known divergences have, ``kinds`` are kinds of findings, ``raised`` is a regular expression
    found in a leg's error message, ``rules`` are rules of which one is guilty.
    """

    pattern: str
    kinds: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    raised: str = ""

    def __post_init__(self) -> None:
        if not is_pattern(self.pattern):
            raise InvalidTicket(f"no pattern {self.pattern!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """One bug. ``releases`` are the tried ones that have it; on the other tried ones it is mended, or not there yet.

    ``needs``: the feature that is not drawn, '' if all that it takes is drawn. ``found``: by release, the result of the
    witness's check, as last seen there; a release without one misses the bug for the reason ``missed``. ``refused``:
    tried releases that don't support the witness. ``why_not``: the reason why there is no witness. ``met``: how a
    campaign found the bug, '' if none did. ``like``: what a campaign's findings of it look like, None where these can't
    be told from others.
    """

    id: str
    title: str
    releases: tuple[str, ...]
    needs: str = ""
    found: Mapping[str, str] = field(default_factory=dict)
    missed: str = ""
    refused: tuple[str, ...] = ()
    why_not: str = ""
    met: str = ""
    witness: Case | None = None
    like: Likeness | None = None

    def __post_init__(self) -> None:
        if not self.title:
            raise InvalidTicket(f"{self.id}: needs a title")
        if (self.witness is None) != bool(self.why_not):
            raise InvalidTicket(f"{self.id}: needs either a witness or the reason why there is none")
        if not set(self.found) <= set(self.releases):
            raise InvalidTicket(f"{self.id}: found on a release that doesn't have it")
        if self.witness is not None and (set(self.found) != set(self.releases)) != bool(self.missed):
            raise InvalidTicket(f"{self.id}: needs a result for each release, or the reason why its witness is missed")
        if set(self.refused) & set(self.releases):
            raise InvalidTicket(f"{self.id}: a release that refuses the witness can't show the bug by it")

    @property
    def url(self) -> str:
        """The address of the ticket."""
        return f"{URL}{self.id}"


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The tickets, and the releases on which all witnesses were tried."""

    tried: tuple[str, ...]
    tickets: tuple[Ticket, ...]


def load(path: Path = TICKETS) -> Benchmark:
    """Read the tickets of a file; InvalidTicket names a wrong one, and says what is wrong."""
    with path.open("rb") as file:
        try:
            data = tomllib.load(file)
        except tomllib.TOMLDecodeError as error:
            raise InvalidTicket(f"{path.name}: {error}") from error
    if set(data) != {"tried", "ticket"}:
        raise InvalidTicket(f"{path.name}: needs tried and tickets, and nothing else")
    tickets = tuple(_ticket(raw, path.parent) for raw in data["ticket"])
    if len({ticket.id for ticket in tickets}) != len(tickets):
        raise InvalidTicket(f"{path.name}: a ticket stands twice")
    for ticket in tickets:
        if unknown := {*ticket.releases, *ticket.refused} - set(data["tried"]):
            raise InvalidTicket(f"{ticket.id}: {', '.join(sorted(unknown))} was not tried")
    return Benchmark(tuple(data["tried"]), tickets)


def _ticket(raw: Mapping[str, Any], folder: Path) -> Ticket:
    name = raw.get("id", "a ticket without id")
    known = {each.name for each in fields(Ticket)}
    if wrong := (set(raw) - known) | ({"id", "title", "releases"} - set(raw)):
        raise InvalidTicket(f"{name}: missing or unknown keys: {', '.join(sorted(wrong))}")
    given = _with_tuples(raw)
    try:
        if "witness" in raw:
            given["witness"] = _witness(raw["witness"], folder)
        if "like" in raw:
            given["like"] = Likeness(**_with_tuples(raw["like"]))
        return Ticket(**given)
    except (InvalidTables, InvalidQuery, TypeError) as error:
        raise InvalidTicket(f"{name}: {error}") from error


def _with_tuples(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in raw.items()}


def _witness(raw: Mapping[str, Any], folder: Path) -> Case:
    match raw:
        case {"case": str(name), **rest} if not rest:
            made = from_plain(json.loads((folder / "cases" / name).read_text(encoding="utf-8")))
            if not isinstance(made, Case):
                raise InvalidQuery(f"{name} holds no case")
            return made
        case {"setup": list(setup), "query": str(query), **rest} if set(rest) <= {"duckdb", "settings"}:
            text = Verbatim(query, rest.get("duckdb", query))
            return Case(
                text,
                tables_of(setup),
                Settings(**{name: from_plain(value) for name, value in rest.get("settings", {}).items()}),
            )
    raise InvalidQuery("a witness has a case, or setup and query, perhaps duckdb and settings, and nothing else")
