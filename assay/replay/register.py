"""Register a finding as a known divergence: an entry that excuses it at once, with a witness that shows it.

The entry describes only what can be seen from outside. Somebody who knows the bug adds the ticket, a reason in words
and a pattern of its own.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

from assay.replay.breadth import too_wide
from assay.replay.regressions import unfit
from oracles.answers.atomic import write_text
from oracles.answers.outcome import Raised
from oracles.checks.check import Harness
from oracles.checks.choices import fixed
from oracles.checks.result import CheckResult
from oracles.engines.spark.java import java_environment
from oracles.failures.failure import Failure, failure_of
from oracles.failures.scripts.script import NoScript
from oracles.patterns.causes import REWRITES
from oracles.patterns.features import pattern_of
from oracles.triage.attribution import judged
from oracles.triage.divergences import KNOWN, Divergence, Without, Witness, load
from oracles.triage.explanation import disappears
from oracles.triage.third_opinion import third_opinion
from oracles.triage.witness_script import witness_of
from strategies.ir import Case

LIFE = timedelta(days=183)
"""The lifetime of an entry: after half a year somebody must look at it again."""

_HEAD = "# Differences that are known here: assay replay --register writes them, and every run reads them with --known."
_OWN_SCHEMA = ("CREATE SCHEMA ", "USE ")
_RELEASE = re.compile(r"\d+\.\d+")
_ROOT = Path(__file__).resolve().parents[2]


class NotRegistered(ValueError):
    """The failure can't become an entry; the message is one line that says why."""


class TooWide(NotRegistered):
    """The entry's pattern would fit many cases that have nothing to do with the bug."""


def register(
    harness: Harness,
    failure: Failure,
    *,
    name: str = "",
    url: str = "",
    known: Path = KNOWN,
    present: Sequence[Divergence] | None = None,
) -> Divergence:
    """Enter ``failure`` in the file ``known``, which may be new, as ``name`` (by default, one made of its kind, rules
    and fingerprint).

    ``present`` are the entries that there are, by default those of ``known``.
    The case is checked again first, and the entry describes the result of that check. UnknownRule if the release lacks
    a rule of ``failure``; TooWide if its pattern fits many draws.
    """
    if reason := unfit(failure):
        raise NotRegistered(reason)
    require_narrow(failure.case)
    present = load(known) if present is None else present
    checked, rules = _again(harness, failure, present)
    require_narrow(checked.case)
    entries = _entries(harness, failure, checked, rules, name=name, url=url)
    if entries[0].id in {entry.id for entry in present}:
        raise NotRegistered(f"there is an entry called {entries[0].id}")
    entry = _witnessed(entries)
    text = known.read_text(encoding="utf-8").rstrip("\n") if known.exists() else _HEAD
    write_text(known, f"{text}\n\n{entry_text(entry)}")
    return entry


def require_narrow(case: Case) -> None:
    """Raise TooWide if the pattern of all features of ``case`` fits many draws."""
    if reason := too_wide(pattern_of(case)):
        raise TooWide(reason)


def _again(harness: Harness, failure: Failure, present: Sequence[Divergence]) -> tuple[CheckResult, tuple[str, ...]]:
    off = [harness.catalogue.rule(name) for name in failure.off]
    checked = harness.check(failure.case, fixed(off), failure.subject.settings, fast=failure.fast)
    checked, rules = judged(harness, checked, present)
    if checked.verdict.name == "excused":
        raise NotRegistered(f"{checked.verdict.divergence} excuses it already")
    if checked.verdict.name != "finding":
        raise NotRegistered(f"it does not fail any more ({checked.verdict.name}): {checked.verdict.reason}")
    # An entry that blames Spark also takes in findings that no third engine was asked of; one that blames another
    # leg doesn't.
    asked = third_opinion(harness, checked)
    return asked if asked.verdict.blame == "spark" else checked, rules


def _entries(
    harness: Harness, failure: Failure, checked: CheckResult, rules: tuple[str, ...], *, name: str, url: str
) -> list[Divergence]:
    """The entry in several versions that differ only in the witness, the plainest witness first."""
    versions = {"spark": harness.spark.version, "duckdb": harness.duckdb.version}
    now = failure_of(
        checked, rules, subject=failure.subject, versions=versions, sql=failure.sql, seed=failure.seed, confirmed=True
    )
    now = replace(now, fast=failure.fast)
    verdict, guilty = checked.verdict, sorted({harness.catalogue.whole(rule) for rule in rules})
    release = _RELEASE.match(harness.spark.version)
    raised = _raised(checked)
    without = None if raised or verdict.blame == "duckdb" else _without(harness, checked, rules)
    try:
        switches = [harness.catalogue.rule(rule) for rule in rules]
        witnesses = [witness_of(now, switches, as_found=as_found) for as_found in (False, True)]
    except NoScript as reason:
        raise NotRegistered(f"no witness can be made of it: {reason}") from reason
    made = "-".join([verdict.kind or "", *(guilty or [verdict.blame or ""]), now.fingerprint[:8]]).lower()
    today = datetime.now(tz=timezone.utc).date()
    entries = [
        Divergence(
            id=name or made,
            kind=verdict.kind or "",
            blame=verdict.blame or "",
            rules=tuple(guilty),
            pattern=pattern_of(checked.case),
            raised=raised,
            without=without,
            releases=(release[0] if release else harness.spark.version,),
            reason=f"{verdict.reason} (seen from outside, in {now.fingerprint}).",
            url=url,
            witness=witness,
            expires=today + LIFE,
        )
        for witness in witnesses
    ]
    if not entries[0].excuses(checked, guilty, harness.spark.version, today):
        raise NotRegistered("an entry that would excuse it can't be made")
    return entries


def _without(harness: Harness, checked: CheckResult, rules: Sequence[str]) -> Without:
    """The first rewrite that takes the finding's cause away."""
    for name in REWRITES:
        without = Without(rewrite=name)
        if disappears(harness, checked, rules, without):
            return without
    raise NotRegistered(
        "nothing is raised by which the finding could be told, and no rewrite of oracles/patterns/causes.py takes its "
        "cause away: enter it by hand, with a setting, rules or a rewrite that it disappears without"
    )


def _raised(checked: CheckResult) -> str:
    """A regular expression of the error that makes the finding, whatever the numbers in it; '' where there is none."""
    raised = [end for name in ("on", "off", "parts") if isinstance(end := checked.legs.get(name), Raised)]
    if not raised or checked.verdict.kind == "rule":
        return ""
    first = (raised[0].message.splitlines() or [""])[0][:160].rstrip()
    return re.sub(r"\d+", r"\\d+", re.escape(first).replace("\\ ", " "))


def _witnessed(entries: Sequence[Divergence]) -> Divergence:
    """The first of ``entries`` whose witness fails; the witnesses run in a separate process."""
    numbered = [_apart(entry, number) for number, entry in enumerate(entries)]
    with tempfile.TemporaryDirectory(prefix="assay-witness-") as folder:
        file = Path(folder) / "entries.toml"
        file.write_text("\n".join(map(entry_text, numbered)), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "oracles.triage.witness", "--entries", str(file)],
            cwd=folder,
            env={**os.environ, **java_environment(), "PYTHONPATH": str(_ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        told = [line for line in done.stderr.splitlines() if line.strip()] or ["no word of it"]
        raise NotRegistered(f"its witness can't be run: {told[-1][:300]}")
    fails: Mapping[str, bool] = json.loads(done.stdout.splitlines()[-1])
    for entry, numbered_entry in zip(entries, numbered, strict=True):
        if fails[numbered_entry.id]:
            return entry
    raise NotRegistered("its witness shows nothing on a plain session: enter it by hand")


def _apart(entry: Divergence, number: int) -> Divergence:
    """``entry`` with ``number`` as its id and in its schemas' names, so that it can run beside the others."""
    setup = tuple(f"{each}_{number}" if each.startswith(_OWN_SCHEMA) else each for each in entry.witness.setup)
    return replace(entry, id=str(number), witness=replace(entry.witness, setup=setup))


def entry_text(entry: Divergence) -> str:
    """``entry`` as a file of divergences has it."""
    lines = [
        "[[divergence]]",
        *(f"{key} = {toml(getattr(entry, key))}" for key in _KEYS if key not in _OPTIONAL or getattr(entry, key)),
        "",
        "[divergence.witness]",
        *(f"{key} = {toml(value)}" for key, value in _witness(entry.witness).items()),
    ]
    return "\n".join(lines) + "\n"


_KEYS = (
    "id",
    "kind",
    "blame",
    "rules",
    "pattern",
    "raised",
    "under",
    "done_by",
    "without",
    "releases",
    "reason",
    "url",
    "expires",
)
_OPTIONAL = ("under", "without", "done_by")


def _witness(witness: Witness) -> Mapping[str, object]:
    told = {"setup": witness.setup, "query": witness.query}
    return {**told, "instead": witness.instead} if witness.instead else {**told, "settings": witness.settings}


def toml(value: object) -> str:
    """A text, a date, or a list or table of texts, as TOML has it."""
    if isinstance(value, str):
        # JSON's escapes are TOML's, but for a sign that JSON lets stand.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Without):
        return toml({field.name: getattr(value, field.name) for field in fields(value) if getattr(value, field.name)})
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {toml(each)}' for key, each in value.items())} }}"
    assert isinstance(value, (list, tuple))  # entries hold nothing else
    return f"[{', '.join(map(toml, value))}]"


def _key(name: str) -> str:
    return name if name.isidentifier() else toml(name)
