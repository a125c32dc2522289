"""Known divergences as data: each with its verdict, guilty rules, a pattern of queries, a witness and an expiry.

An entry excuses a finding only if all its fields fit. If it names no error message, the entry's cause has to explain
the finding, too (see :mod:`oracles.triage.explanation`). Entries never restrict the drawn queries.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import tomllib

from oracles.answers.outcome import Raised
from oracles.checks.finding_kind import FindingKind
from oracles.checks.result import CheckResult
from oracles.checks.verdict import BLAMES, Blame
from oracles.patterns.causes import REWRITES
from oracles.patterns.features import MADE_OF, has_all, listed
from oracles.patterns.queries import PATTERNS
from oracles.rules.switch import EXCLUDED
from strategies.ir import Case

KNOWN = Path(__file__).with_name("divergences.toml")
ANY = "any"
"""Any blame, or in place of rules any guilty rules: for a bug whose guilty rule depends on the rest of the query."""
_KEYS = {"id", "kind", "blame", "rules", "pattern", "raised", "releases", "reason", "url", "witness", "expires"}


class InvalidDivergence(ValueError):
    """An entry is malformed, incomplete, or would excuse too much."""


@dataclass(frozen=True, slots=True)
class Witness:
    """Statements that show the divergence without Assay, on a plain session of Spark, or of DuckDB if DuckDB is wrong.

    The ``setup`` statements run first. As long as the bug exists, ``query`` has other rows under ``settings`` than
    without them (a setting of DuckDB is a PRAGMA without a value), or, if no setting helps, other rows than
    ``instead``, a query with the same meaning.
    """

    setup: tuple[str, ...]
    query: str
    settings: dict[str, str]
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Without:
    """The one way to remove an entry's cause: ``settings`` of both Spark legs, full names of ``rules`` to turn off on
    both legs, or a ``rewrite`` of the case, one of :data:`oracles.patterns.causes.REWRITES`.

    ``shows``: the name of a rewrite; the cause is present only if that one changes DuckDB's answer.
    """

    settings: dict[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    rewrite: str = ""
    shows: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """One entry. ``rules`` are exactly the guilty rules after bisection; ``releases`` are prefixes of Spark versions.

    ``pattern`` names one of :mod:`oracles.patterns.queries`, or lists the features of a case ("made of: Filter, ...",
    see :mod:`oracles.patterns.features`); unless it fits every case, ``blame`` may be ANY, and ``rules`` just ANY.
    ``raised`` is a regular expression found in the error message of a leg, or of a kind that fails, in those of all
    legs of Spark that fail, but for a leg whose failure another entry knows; '' if no leg has to raise. ``under`` is
    the full name of a rule that hides the bug, and so must be off on both legs. ``without`` removes the cause: a
    finding without an error that isn't blamed on DuckDB is excused only if the difference is gone then (with
    ``under``, only if it is gone once that rule is on). ``done_by`` is the rule that does the wrong work, by its name
    here: a leg of Spark whose plan it left alone is wrong for another reason, and of that rule alone "any" is no name.
    """

    id: str
    kind: str
    blame: str
    rules: tuple[str, ...]
    pattern: str
    raised: str
    releases: tuple[str, ...]
    reason: str
    url: str
    witness: Witness
    expires: date
    under: str = ""
    without: Without | None = None
    done_by: str = ""

    def __post_init__(self) -> None:
        if self.kind not in list(FindingKind) or self.blame not in (*BLAMES, ANY):
            raise InvalidDivergence(f"{self.id}: no finding has kind {self.kind!r} and blame {self.blame!r}")
        if not is_pattern(self.pattern):
            raise InvalidDivergence(f"{self.id}: no pattern {self.pattern!r}; there are {', '.join(PATTERNS)}")
        unbound = self.pattern == "anything" or (self.pattern.startswith(MADE_OF) and not listed(self.pattern))
        if unbound and (not self.rules or ANY in (self.blame, *self.rules)):
            raise InvalidDivergence(f"{self.id}: needs guilty rules or a pattern, or it excuses everything")
        if FindingKind(self.kind).fails and not self.raised:
            raise InvalidDivergence(f"{self.id}: kind {self.kind} needs what is raised, or it excuses every error")
        try:
            re.compile(self.raised)
        except re.error as error:
            raise InvalidDivergence(f"{self.id}: raised is no regular expression: {error}") from error
        if FindingKind(self.kind).of_rows and not (self.raised or self.without or self.under):
            raise InvalidDivergence(f"{self.id}: kind {self.kind} needs what is raised, or what it disappears without")
        for name in (self.without.rewrite, self.without.shows) if self.without else ():
            if name and name not in REWRITES:
                raise InvalidDivergence(f"{self.id}: no rewrite {name!r}; there are {', '.join(REWRITES)}")
        if not self.releases or not self.reason:
            raise InvalidDivergence(f"{self.id}: needs releases and a reason")
        if self.url and not self.url.startswith("https://"):
            raise InvalidDivergence(f"{self.id}: the URL of its ticket must be https, or '' while there is none")

    @property
    def is_silent(self) -> bool:
        """Whether only an explanation tells its findings from others of the same pattern: it needs no error, and
        doesn't blame DuckDB.
        """
        return not self.raised and self.blame != "duckdb"

    @property
    def engine(self) -> Blame | None:
        """The engine that is wrong; None if the entry blames a leg of Spark, or leaves open whose fault it is."""
        engines: tuple[Blame, ...] = ("spark", "duckdb")
        return next((engine for engine in engines if engine == self.blame), None)

    def excuses(
        self,
        checked: CheckResult,
        rules: Iterable[str],
        spark: str,
        today: date,
        *,
        own: Collection[str] = (),
        beside: Iterable[Divergence] = (),
    ) -> bool:
        """Whether a finding with these guilty rules fits all fields of this entry, without an explanation.

        :param own: the rules that aren't Spark's; an entry covers them only by name.
        :param beside: the entries that may know the errors of the legs that fail in another way.
        """
        rules = tuple(rules)

        def is_about(entry: Divergence) -> bool:
            return (
                entry._names(rules, own) and entry.covers(spark) and today <= entry.expires and entry._hidden(checked)
            )

        def is_known(leg: str, error: Raised) -> bool:
            return any(
                entry.kind == error.kind
                and entry.blame in (leg, ANY)
                and re.search(entry.raised, error.message)
                and entry._is_done(checked)
                and is_about(entry)
                and entry.fits(as_run(checked))
                for entry in beside
            )

        return (
            checked.verdict.kind == self.kind
            and self._blames(checked)
            and self._fits_errors(checked, is_known)
            and self._is_done(checked)
            and is_about(self)
            and self.fits(as_run(checked))
        )

    def _hidden(self, checked: CheckResult) -> bool:
        """Whether the rule that hides it, if there is one, is off on both legs."""
        confs = (checked.settings.on, checked.settings.off)
        return not self.under or all(self.under in conf.get(EXCLUDED, "").split(",") for conf in confs)

    def _fits_errors(self, checked: CheckResult, is_known: Callable[[str, Raised], bool]) -> bool:
        """Whether the error that has to be raised is: if it is a failure, on each leg of Spark that fails, but for the
        legs whose error is that of another entry.
        """
        if not self.raised:
            return True
        errors = {leg: end for leg, end in checked.legs.items() if isinstance(end, Raised)}
        if not FindingKind(self.kind).fails:
            return any(re.search(self.raised, end.message) for end in errors.values())
        failed = {
            leg: end
            for leg, end in errors.items()
            if leg in ("on", "off", "parts") and end.kind in ("internal", "invalid-plan")
        }
        others = {leg: end for leg, end in failed.items() if not re.search(self.raised, end.message)}
        return len(others) < len(failed) and all(is_known(leg, end) for leg, end in others.items())

    def _names(self, rules: tuple[str, ...], own: Collection[str]) -> bool:
        """Whether its rules are the guilty ``rules``: any but the ``own`` ones and the one that does the wrong work."""
        if self.rules == (ANY,):
            return not set(rules) & {*own, self.done_by}
        return sorted(rules) == sorted(self.rules)

    def _is_done(self, checked: CheckResult) -> bool:
        """Whether the rule that does the wrong work changed the plan of the leg that is wrong, as far as is known."""
        if not self.done_by:
            return True
        off_may_be_wrong = checked.verdict.kind == FindingKind.RULE and checked.verdict.blame != "on"
        return self.done_by in (*checked.changed_plan, *(checked.changed_only_off if off_may_be_wrong else ()))

    def _blames(self, checked: CheckResult) -> bool:
        # If the blame is open, the third opinion decides it later: for minimized cases, or in an explanation.
        blame = checked.verdict.blame
        return self.blame in (blame, ANY) or (self.engine is not None and blame == "unknown")

    def fits(self, case: Case) -> bool:
        """Whether its pattern fits ``case``."""
        return fits_pattern(self.pattern, case)

    def is_asked(self, case: Case) -> bool:
        """Whether ``case`` can have a finding of its kind: a metamorphic one needs a predicate for three parts."""
        return self.kind != "metamorphic" or case.partition is not None

    def covers(self, spark: str) -> bool:
        """Whether the entry is about Spark release ``spark``."""
        return any(spark == release or spark.startswith(release + ".") for release in self.releases)


def is_pattern(text: str) -> bool:
    """Whether ``text`` names a pattern of :mod:`oracles.patterns.queries`, or lists the features of a case."""
    return text in PATTERNS or text.startswith(MADE_OF)


def fits_pattern(pattern: str, case: Case) -> bool:
    """Whether ``pattern``, for which :func:`is_pattern` holds, fits ``case``."""
    return has_all(pattern, case) if pattern.startswith(MADE_OF) else PATTERNS[pattern](case)


def as_run(checked: CheckResult) -> Case:
    """The case with its tables' actual source: the fast path reads files' tables from memory."""
    if not checked.fast or checked.case.settings.source == "v2":
        return checked.case
    return replace(checked.case, settings=replace(checked.case.settings, source="memory"))


def load(path: Path = KNOWN) -> tuple[Divergence, ...]:
    """Read the entries of a file; InvalidDivergence names a wrong entry, and says what is wrong."""
    with path.open("rb") as file:
        try:
            data = tomllib.load(file)
        except tomllib.TOMLDecodeError as error:
            raise InvalidDivergence(f"{path.name}: {error}") from error
    if unknown := sorted(set(data) - {"divergence"}):
        raise InvalidDivergence(f"{path.name}: entries are called divergence, not {', '.join(unknown)}")
    entries = tuple(_entry(raw) for raw in data.get("divergence", []))
    if len({entry.id for entry in entries}) != len(entries):
        raise InvalidDivergence(f"{path.name}: an id stands twice")
    return entries


def _entry(raw: dict[str, Any]) -> Divergence:
    name = raw.get("id", "an entry without id")
    if wrong := (set(raw) - {"under", "without", "done_by"}) ^ _KEYS:
        raise InvalidDivergence(f"{name}: missing or unknown keys: {', '.join(sorted(wrong))}")
    match raw["witness"]:
        case {"setup": list(setup), "query": str(query), "settings": dict(settings), **rest} if not rest:
            witness = Witness(tuple(setup), query, settings)
        case {"setup": list(setup), "query": str(query), "instead": str(instead), **rest} if not rest:
            witness = Witness(tuple(setup), query, {}, instead)
        case _:
            raise InvalidDivergence(f"{name}: witness must have setup, query, settings or instead, and nothing else")
    if type(raw["expires"]) is not date:  # a datetime is a date, too, and can't be compared with a day
        raise InvalidDivergence(f"{name}: expires must be a date")
    texts = {key: _texts(raw, key) for key in ("rules", "releases")}
    return Divergence(**{**raw, **texts, "witness": witness, "without": _without(name, raw.get("without"))})


def _without(name: str, raw: object) -> Without | None:
    match raw:
        case None:
            return None
        case {"settings": dict(settings), **rest} if settings and not rest:
            return Without(settings=settings)
        case {"settings": dict(settings), "shows": str(shows), **rest} if settings and shows and not rest:
            return Without(settings=settings, shows=shows)
        case {"rules": list(rules), **rest} if rules and not rest:
            return Without(rules=tuple(rules))
        case {"rewrite": str(rewrite), **rest} if rewrite and rest in ({}, {"shows": True}):
            return Without(rewrite=rewrite, shows=rewrite if rest else "")
        case {"rewrite": str(rewrite), "shows": str(shows), **rest} if rewrite and shows and not rest:
            return Without(rewrite=rewrite, shows=shows)
    raise InvalidDivergence(f"{name}: without must have settings, rules or a rewrite, and nothing else")


def _texts(raw: dict[str, Any], key: str) -> tuple[str, ...]:
    match raw[key]:
        case list(texts) if all(isinstance(text, str) for text in texts):
            return tuple(texts)
    raise InvalidDivergence(f"{raw['id']}: {key} must be a list of texts")


def fitting(
    entries: Iterable[Divergence],
    checked: CheckResult,
    rules: Iterable[str],
    spark: str,
    today: date,
    *,
    own: Collection[str] = (),
) -> list[Divergence]:
    """The entries whose fields fit this finding, in their order."""
    guilty, beside = tuple(rules), tuple(entries)
    return [entry for entry in beside if entry.excuses(checked, guilty, spark, today, own=own, beside=beside)]
