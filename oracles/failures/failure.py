"""Failure files: store all data that a replay of a finding needs.

A file holds the case (query, tables, settings), the rules turned off, the settings of both legs, the loaded rules and
the versions, as plain data that is never evaluated. Its name is the finding's fingerprint.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oracles.answers.atomic import write_json, write_text
from oracles.answers.rows import to_plain as outcome_to_plain
from oracles.checks.finding_kind import FindingKind
from oracles.checks.result import CheckResult, LegSettings
from oracles.checks.verdict import BLAMES, Verdict
from oracles.failures.confirmation import Stock
from oracles.failures.scale import Scale
from oracles.patterns.features import shape
from strategies.ir import (
    Case,
    from_plain,
    operators,
    to_plain,
    walk,
)

FORMAT = 1


class UnreadableFailure(ValueError):
    """The file is no failure file, or has another format: bad input; the message is one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The rules and settings that a run tests, and that a replay has to load again.

    ``rules`` are the user's own rules in the syntax of ``--rule``, with their ``jars`` and ``extensions``; ``conf`` is
    the configuration of the session. ``mutant`` names the planted rules that are on, separated by commas. ``settings``
    are the settings of both legs beyond the case's own. ``spark_home`` is that of ``--spark-home``; None where the
    installed Spark ran. Alone of all these a replay doesn't load it by itself: a finding is tried on other releases.
    """

    rules: tuple[str, ...] = ()
    jars: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    conf: Mapping[str, str] = field(default_factory=dict)
    mutant: str | None = None
    settings: LegSettings = field(default_factory=LegSettings)
    spark_home: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A finding with all data to reproduce it. ``rules`` are the guilty rules, ``off`` the rules turned off.

    ``stock``: the confirmation on stock Spark, None if it was not tried. ``plans``: the on leg's plans right before and
    after the first change by each guilty rule, only to be read; may be empty. With a ``scale``, the case's tables are
    empty: it needs many rows, which are generated (see :mod:`assay.volume`).
    """

    case: Case
    verdict: Verdict
    rules: tuple[str, ...]
    off: tuple[str, ...]
    subject: Subject = Subject()
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int | None = None
    confirmed: bool = False
    legs: Mapping[str, Any] = field(default_factory=dict)
    sql: Mapping[str, str] = field(default_factory=dict)
    fast: bool = False
    stock: Stock | None = None
    plans: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    scale: Scale | None = None

    @property
    def rows(self) -> int:
        """The number of rows of all its tables."""
        database = self.case.database
        return self.scale.rows * len(database.tables) if self.scale else database.row_count

    @property
    def fingerprint(self) -> str:
        """16 hex digits: a hash of the verdict's kind, the guilty rules and the query's shape."""
        parts = [self.verdict.kind or "", *self.rules, "/", *sorted(shape(self.case.query))]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def summary(self, file: Path | None = None, count: int = 1) -> dict[str, Any]:
        """This finding's entry in a run's summary."""
        return {
            "fingerprint": self.fingerprint,
            "kind": self.verdict.kind,
            "blame": self.verdict.blame,
            "rules": list(self.rules),
            "file": str(file) if file else None,
            "operators": operators(self.case.query),
            "rows": self.rows,
            "count": count,
            "confirmed": self.confirmed,
            "stock": self.stock.shown if self.stock else None,
        }


def failure_of(
    checked: CheckResult,
    rules: tuple[str, ...],
    *,
    subject: Subject,
    versions: Mapping[str, str],
    sql: Mapping[str, str],
    seed: int | None,
    confirmed: bool = False,
) -> Failure:
    """Make the failure of ``checked``, a finding."""
    return Failure(
        case=checked.case,
        verdict=checked.verdict,
        rules=rules,
        off=checked.off,
        subject=subject,
        versions=versions,
        seed=seed,
        confirmed=confirmed,
        legs={name: outcome_to_plain(outcome) for name, outcome in checked.legs.items()},
        sql=sql,
    )


def failure_path(folder: Path, failure: Failure) -> Path:
    """The path of ``failure`` in ``folder``."""
    return folder / f"{failure.fingerprint}.json"


def script_path(file: Path) -> Path:
    """The path of the script beside a failure's ``file``, which may not exist."""
    return file.with_suffix(".py")


def write_failure(folder: Path, failure: Failure, script: str | None = None) -> Path:
    """Write ``failure`` to ``folder`` atomically, with its ``script`` beside it; return the path.

    A failure of the same fingerprint stays if it is no worse: a confirmed one is better than an unconfirmed one, then a
    smaller one, then one whose confirmation on stock Spark was tried.
    """
    path = failure_path(folder, failure)
    if path.exists():
        try:
            present = read_failure(path)
        except UnreadableFailure:
            present = None
        if present is not None and _rank(present) <= _rank(failure):
            return path
    write_json(path, to_json(failure))
    if script is None:
        script_path(path).unlink(missing_ok=True)
    else:
        write_text(script_path(path), script)
    return path


def discard_failure(folder: Path, failure: Failure) -> None:
    """Remove ``failure``'s files, unless another run or worker has put a failure of the same fingerprint there."""
    path = failure_path(folder, failure)
    try:
        if read_failure(path) == failure:
            path.unlink(missing_ok=True)
            script_path(path).unlink(missing_ok=True)
    except UnreadableFailure:
        return


def _rank(failure: Failure) -> tuple[bool, int, int, int, bool]:
    query = failure.case.query
    size = operators(query), failure.rows, sum(1 for _ in walk(query))
    return not failure.confirmed, *size, failure.stock is None


def to_json(failure: Failure) -> dict[str, Any]:
    """The content of ``failure``'s file, as plain data for JSON."""
    verdict = failure.verdict
    return {
        "format": FORMAT,
        "fingerprint": failure.fingerprint,
        "kind": verdict.kind,
        "blame": verdict.blame,
        "reason": verdict.reason,
        "rules": list(failure.rules),
        "off": list(failure.off),
        "confirmed": failure.confirmed,
        "fast": failure.fast,
        "seed": failure.seed,
        "versions": dict(failure.versions),
        "sql": dict(failure.sql),
        "case": to_plain(failure.case),
        "on_settings": dict(failure.subject.settings.on),
        "off_settings": dict(failure.subject.settings.off),
        "own_rules": list(failure.subject.rules),
        "jars": list(failure.subject.jars),
        "extensions": list(failure.subject.extensions),
        "conf": dict(failure.subject.conf),
        "mutant": failure.subject.mutant,
        **({"spark_home": failure.subject.spark_home} if failure.subject.spark_home is not None else {}),
        "legs": dict(failure.legs),
        **({"stock": {"shown": failure.stock.shown, "reason": failure.stock.reason}} if failure.stock else {}),
        **({"plans": {rule: list(around) for rule, around in failure.plans.items()}} if failure.plans else {}),
        **({"scale": {"rows": failure.scale.rows, "seed": failure.scale.seed}} if failure.scale else {}),
    }


def read_failure(path: Path) -> Failure:
    """Read the failure in the file at ``path``; raises UnreadableFailure, with one line, if it is malformed."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UnreadableFailure(f"{path}: no such file") from error
    except IsADirectoryError as error:
        raise UnreadableFailure(f"{path}: is a folder: name its files") from error
    except OSError as error:
        raise UnreadableFailure(f"{path}: can't be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise UnreadableFailure(f"{path}: no failure file: {error}") from error
    if not isinstance(data, dict) or "format" not in data:
        raise UnreadableFailure(f"{path}: no failure file: it has no format")
    if data["format"] != FORMAT:
        raise UnreadableFailure(f"{path}: format {data['format']!r}, and this Assay reads format {FORMAT}")
    try:
        return _from_json(data)
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise UnreadableFailure(f"{path}: broken failure file: {type(error).__name__}: {error}") from error


def _from_json(data: Mapping[str, Any]) -> Failure:
    case = from_plain(data["case"])
    if not isinstance(case, Case):
        raise UnreadableFailure("'case' holds no case")
    if data["kind"] not in list(FindingKind) or data["blame"] not in BLAMES:
        raise UnreadableFailure(f"no finding has kind {data['kind']!r} and blame {data['blame']!r}")
    return Failure(
        case=case,
        verdict=Verdict(name="finding", kind=data["kind"], blame=data["blame"], reason=_of(data, "reason", str)),
        rules=_texts(data, "rules"),
        off=_texts(data, "off"),
        subject=Subject(
            rules=_texts(data, "own_rules"),
            jars=_texts(data, "jars"),
            extensions=_texts(data, "extensions"),
            conf=_text_map(data, "conf"),
            mutant=_of(data, "mutant", str, type(None)),
            settings=LegSettings(_text_map(data, "on_settings"), _text_map(data, "off_settings")),
            spark_home=_of(data, "spark_home", str) if "spark_home" in data else None,
        ),
        versions=_text_map(data, "versions"),
        seed=_of(data, "seed", int, type(None)),
        confirmed=_of(data, "confirmed", bool),
        fast=_of(data, "fast", bool),
        legs=_of(data, "legs", dict),
        sql=_text_map(data, "sql"),
        stock=Stock(**_text_map(data, "stock")) if "stock" in data else None,  # type: ignore[arg-type]  # it checks
        plans=_plans(data) if "plans" in data else {},
        scale=_scale(_of(data, "scale", dict)) if "scale" in data else None,
    )


def _scale(data: Mapping[str, Any]) -> Scale:
    return Scale(_of(data, "rows", int), _of(data, "seed", int))


def _plans(data: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    plans: Mapping[str, Any] = _of(data, "plans", dict)
    return {rule: _before_and_after(*_texts(plans, rule)) for rule in plans}


def _before_and_after(before: str, after: str) -> tuple[str, str]:
    return before, after


def _of(data: Mapping[str, Any], key: str, *kinds: type) -> Any:
    if type(data[key]) not in kinds:
        raise UnreadableFailure(f"{key!r} can't be {data[key]!r:.200}")
    return data[key]


def _texts(data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    texts = tuple(_of(data, key, list))
    if not all(isinstance(text, str) for text in texts):
        raise UnreadableFailure(f"{key!r} must hold texts alone")
    return texts


def _text_map(data: Mapping[str, Any], key: str) -> dict[str, str]:
    texts: dict[str, str] = _of(data, key, dict)
    if not all(isinstance(text, str) for text in texts.values()):
        raise UnreadableFailure(f"{key!r} must hold texts alone")
    return texts
