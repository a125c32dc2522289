"""Judge a check by the outcomes of its legs: a pure function, without session, clock or I/O.

The first row that applies decides:

=== ============================================================================ =====================
 #  case                                                                         verdict
=== ============================================================================ =====================
 0  plan validation refused a plan on a Spark leg                                finding invalid-plan
 1  internal error on a Spark leg                                                finding internal
 2  both Spark legs have rows and they differ                                    finding rule
 3  the Spark legs are equal, DuckDB has rows and differs                        finding engine
3a  ``on`` alone of the Spark legs has rows, DuckDB has others                   finding engine
3b  the Spark legs have equal rows, DuckDB raises a user error, and SQL fixes
    that the query raises: an error that both lost                               finding engine
4o  some leg raises a user error, the others have rows or raise another one,
    and SQL leaves open whether the query raises                                 order-open
 4  the Spark legs raise the same user error: DuckDB has rows / has none         finding engine / raised
4a  the same, DuckDB raises, too, and the query is drawn to raise                same-error
 5  ``on`` raises a user error, ``off`` and DuckDB have equal rows               finding error
5a  one Spark leg raises a user error, the other has rows, and SQL fixes
    whether the query raises: an error lost, moved or invented                   finding error
5b  the Spark legs raise two user errors, in a query drawn to raise              order-open
 6  anything else in which a leg has no rows                                     inconclusive
6a  all equal, but the query in three parts has other rows, or raises            finding metamorphic
 7  all equal, and the rule under test didn't fire                               vacuous
 8  all equal                                                                    agree
=== ============================================================================ =====================

Whether SQL leaves open or fixes that a query raises is :func:`oracles.patterns.order.order_of`'s answer. The blame of
row 5a is on the leg that DuckDB contradicts: on the one without the error if DuckDB raises, too.

A third engine, which runs the minimized case, may decide the blame of rows 2, 3 and 4 (``with_third_opinion``).

Without an ``off`` leg (the query can't run without the rule) the table applies with ``off`` equal to ``on``: rows 2 and
5 can't happen, and the rule may cause an engine finding.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

from oracles.answers.outcome import Kind, Outcome, Raised, Rows
from oracles.answers.rows import same
from oracles.checks.finding_kind import FindingKind
from oracles.patterns.order import Order

Name = Literal["agree", "vacuous", "raised", "same-error", "order-open", "inconclusive", "finding", "excused"]
Blame = Literal["on", "off", "spark", "duckdb", "unknown"]

NAMES: tuple[Name, ...] = get_args(Name)
BLAMES: tuple[Blame, ...] = get_args(Blame)

# Spark's error-conditions.json (SQLSTATE XXKD0): a rule's result, or the optimizer's input, broke a plan's invariants.
PLAN_VALIDATION_CONDITIONS = ("PLAN_VALIDATION_FAILED_RULE_IN_BATCH", "PLAN_VALIDATION_FAILED_RULE_EXECUTOR")


class InvalidVerdict(ValueError):
    """The parts of a verdict contradict each other: a finding without a kind, or an excused verdict without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The judgement of one check.

    :param kind: the kind of finding; None unless the verdict is a finding, excused or not.
    :param blame: the leg that is wrong, 'spark' if both Spark legs are, 'unknown' if undecided; None like ``kind``.
    :param reason: one line.
    :param divergence: the id of the known divergence that excuses the finding.
    :raises InvalidVerdict: the parts contradict each other.
    """

    name: Name
    kind: FindingKind | None = None
    blame: Blame | None = None
    reason: str
    divergence: str | None = None

    def __post_init__(self) -> None:
        if self.kind is not None:
            object.__setattr__(self, "kind", FindingKind(self.kind))
        found = self.name in ("finding", "excused")
        if found != (self.kind is not None) or found != (self.blame is not None):
            raise InvalidVerdict(f"{self.name} with kind {self.kind} and blame {self.blame}")
        if (self.name == "excused") != (self.divergence is not None):
            raise InvalidVerdict(f"{self.name} with divergence {self.divergence}")


def judge(
    on: Outcome,
    off: Outcome | None,
    duckdb: Outcome,
    *,
    fired: bool,
    unoptimized: Outcome | None = None,
    parts: Outcome | None = None,
    order: Order = "silent",
) -> Verdict:
    """The verdict on one check, by the table above.

    :param off: None if the query can't run without the rule: ``on`` is compared with DuckDB alone.
    :param fired: a rule under test changed the plan of ``on``, and not that of ``off``.
    :param unoptimized: DuckDB without its optimizer, see ``needs_second_opinion``; decides the blame of an
        engine finding, never whether it is one.
    :param parts: the on leg's answer to the same query put together from three parts, if that ran.
    :param order: whether SQL fixes that the query raises.
    """
    refused = (_is_invalid_plan(on), off is not None and _is_invalid_plan(off))
    if any(refused):
        return _finding(FindingKind.INVALID_PLAN, _failed_leg(*refused), _legs(on, off, duckdb))
    failed = (_is(on, "internal"), off is not None and _is(off, "internal"))
    if any(failed):
        return _finding(FindingKind.INTERNAL, _failed_leg(*failed), _legs(on, off, duckdb))
    if isinstance(on, Rows) and (off is None or isinstance(off, Rows)):
        whole = _judge_rows(on, off, duckdb, fired, unoptimized, order)
        passes = whole.name in ("agree", "vacuous")
        return _judge_parts(whole, on, parts, order) if passes and parts is not None else whole
    if order in ("fixed", "open") and not (_is_silent(on) or (off is not None and _is_silent(off))):
        return _judge_drawn_error(on, off, duckdb, unoptimized, order)
    if _is(on, "user"):
        return _judge_error(on, off, duckdb, unoptimized)
    return _judge_rows_alone(on, duckdb, unoptimized) or _inconclusive(on, off, duckdb)


def needs_second_opinion(on: Outcome, off: Outcome | None, duckdb: Outcome, order: Order = "silent") -> bool:
    """Whether ``judge`` needs DuckDB without its optimizer: Spark and DuckDB contradict each other."""
    return judge(on, off, duckdb, fired=True, order=order).kind == "engine"


def wants_third_opinion(verdict: Verdict) -> bool:
    """Whether a third engine can decide the blame: Spark and DuckDB contradict each other, or Spark's legs do, and
    DuckDB agrees with neither.
    """
    return verdict.kind == "engine" or (verdict.kind, verdict.blame) == ("rule", "unknown")


def with_third_opinion(
    verdict: Verdict, on: Outcome, off: Outcome | None, duckdb: Outcome, third: Outcome, *, name: str
) -> Verdict:
    """``verdict`` with the blame on the odd one out, by the answer of a third engine called ``name``.

    The blame stays if the third engine has no rows, or other rows than both, or if Spark and DuckDB differ in types,
    which the third engine takes from the query algebra. The blame is unknown if the third engine agrees with DuckDB,
    and DuckDB without its optimizer agrees with Spark.
    """
    if not wants_third_opinion(verdict) or not isinstance(third, Rows):
        return verdict
    if verdict.kind == "rule":
        if not isinstance(on, Rows) or not isinstance(off, Rows):
            return verdict
        blame = _odd_one_out(on, off, third)
        sides: dict[Blame, str] = {"on": "off's", "off": "on's"}
        told = f"{name} has {sides[blame]} rows" if blame in sides else f"{name} can't tell which is right"
        return replace(verdict, blame=blame, reason=f"{verdict.reason}; {told}")
    if isinstance(on, Rows) and isinstance(duckdb, Rows) and on.schema != duckdb.schema:
        return verdict
    if _answers(on, off, third):
        return replace(verdict, blame="duckdb", reason=f"{verdict.reason}; {name} has Spark's")
    if isinstance(duckdb, Rows) and same(duckdb, third):
        blame = "spark" if verdict.blame == "unknown" else "unknown"
        return replace(verdict, blame=blame, reason=f"{verdict.reason}; {name} has DuckDB's")
    return replace(verdict, reason=f"{verdict.reason}; {name} has {_text(third)} of its own")


def excuse(verdict: Verdict, divergence: str, blame: Blame | None = None) -> Verdict:
    """``verdict`` as an instance of a known divergence.

    :param blame: the engine that the divergence blames, which decides a blame that is unknown; None if it names none.
    :raises InvalidVerdict: ``verdict`` is no finding.
    """
    if verdict.name != "finding":
        raise InvalidVerdict(f"{verdict.name} can't be excused by {divergence}")
    decided = blame if blame and verdict.blame == "unknown" else verdict.blame
    return replace(verdict, name="excused", divergence=divergence, blame=decided)


def broken_relation(blame: Blame, reason: str) -> Verdict:
    """The finding for answers to related queries that contradict each other, such as a limit's and its input's."""
    return _finding(FindingKind.METAMORPHIC, blame, reason)


def misbehaved(kind: FindingKind, reason: str) -> Verdict:
    """The finding for a rule's misbehaviour (see :mod:`oracles.checks.misbehaviour`)."""
    return _finding(kind, "on", reason)


def _judge_rows(
    on: Rows, off: Rows | None, duckdb: Outcome, fired: bool, unoptimized: Outcome | None, order: Order
) -> Verdict:
    if off is not None and not same(on, off):
        blame = _odd_one_out(on, off, duckdb)
        return _finding(FindingKind.RULE, blame, f"on and off differ, {_against(duckdb, blame)}")
    if order == "open" and _is(duckdb, "user"):
        return _order_open(on, off, duckdb)
    if order == "fixed" and _is(duckdb, "user"):
        return _engine_finding(f"{_spark(off)} rows, DuckDB raises", on, off, duckdb, unoptimized)
    if not isinstance(duckdb, Rows):
        return _inconclusive(on, off, duckdb)
    if not _answers(on, off, duckdb):
        return _engine_finding(_spark(off) + " rows, DuckDB has others", on, off, duckdb, unoptimized)
    if not fired:
        return Verdict(name="vacuous", reason="all equal, but the rule under test made no difference to the plans")
    return Verdict(name="agree", reason="all equal")


def _judge_parts(whole: Verdict, on: Rows, parts: Outcome, order: Order) -> Verdict:
    """DuckDB agrees with ``on``, so that ``parts`` is wrong; the blame is the on leg's, which alone ran it."""
    if isinstance(parts, Rows):
        if same(on, parts):
            return whole
        return broken_relation("on", f"the query has {_text(on)}, its three parts have {_text(parts)}, or others")
    if parts.kind == "user" and order == "open":
        return Verdict(name="order-open", reason=f"all equal; its three parts raise {_text(parts)}")
    if parts.kind == "user":
        return broken_relation("on", f"the query has {_text(on)}, its three parts raise {_text(parts)}")
    if _is_invalid_plan(parts) or parts.kind == "internal":
        kind = FindingKind.INVALID_PLAN if _is_invalid_plan(parts) else FindingKind.INTERNAL
        return _finding(kind, "on", f"the query has {_text(on)}, its three parts: {_text(parts)}")
    return Verdict(name="inconclusive", reason=f"all equal; its three parts: {_text(parts)}")


def _judge_error(on: Outcome, off: Outcome | None, duckdb: Outcome, unoptimized: Outcome | None) -> Verdict:
    if off is None or _same_error(on, off):
        error = _text(on)
        if isinstance(duckdb, Rows):
            return _engine_finding(f"{_spark(off)} {error}, DuckDB has rows", on, off, duckdb, unoptimized)
        return Verdict(name="raised", reason=error)
    if isinstance(off, Rows) and isinstance(duckdb, Rows) and same(off, duckdb):
        return _finding(FindingKind.ERROR, "on", f"on raises {_text(on)}, off and DuckDB have equal rows")
    return _inconclusive(on, off, duckdb)


def _judge_drawn_error(
    on: Outcome, off: Outcome | None, duckdb: Outcome, unoptimized: Outcome | None, order: Order
) -> Verdict:
    """The verdict on a query with expressions that may raise, where a Spark leg does."""
    if off is None or _same_error(on, off):
        if _is(duckdb, "user"):
            return Verdict(name="same-error", reason=_text(on))
        if not isinstance(duckdb, Rows):
            return _inconclusive(on, off, duckdb)
        return _order_open(on, off, duckdb) if order == "open" else _judge_error(on, off, duckdb, unoptimized)
    if order == "open" or (isinstance(on, Raised) and isinstance(off, Raised)):
        return _judge_rows_alone(on, duckdb, unoptimized) or _order_open(on, off, duckdb)
    sides: dict[Blame, tuple[Outcome, Outcome]] = {"on": (on, off), "off": (off, on)}
    blamed: list[Blame] = [
        leg for leg, (one, other) in sides.items() if _alike(other, duckdb) and not _alike(one, duckdb)
    ]
    return _finding(FindingKind.ERROR, blamed[0] if blamed else "unknown", _legs(on, off, duckdb))


def _judge_rows_alone(on: Outcome, duckdb: Outcome, unoptimized: Outcome | None) -> Verdict | None:
    """The finding for an on leg that alone of Spark's has rows, where DuckDB has others; None if it has the same."""
    if not isinstance(on, Rows) or not isinstance(duckdb, Rows) or same(on, duckdb):
        return None
    return _engine_finding("on alone has rows, DuckDB has others", on, None, duckdb, unoptimized)


def _alike(spark: Outcome, duckdb: Outcome) -> bool:
    """Whether DuckDB confirms a Spark leg: both have the same rows, or both raise a user error."""
    if isinstance(spark, Rows) and isinstance(duckdb, Rows):
        return same(spark, duckdb)
    return _is(spark, "user") and _is(duckdb, "user")


def _engine_finding(
    what: str, on: Outcome, off: Outcome | None, duckdb: Outcome, unoptimized: Outcome | None
) -> Verdict:
    """An engine finding, with the blame on DuckDB only if DuckDB agrees with Spark once its optimizer is off.

    If unoptimized DuckDB keeps DuckDB's answer, only DuckDB's optimizer is cleared (its executor, Spark, or Assay's SQL
    may be wrong). If it has a third answer, DuckDB isn't consistent, but Spark may be wrong, too.
    """
    if unoptimized is None:
        return _finding(FindingKind.ENGINE, "unknown", what)
    if _answers(on, off, unoptimized):
        return _finding(FindingKind.ENGINE, "duckdb", f"{what}; without its optimizer it does as Spark does")
    if isinstance(unoptimized, Rows) and isinstance(duckdb, Rows) and same(duckdb, unoptimized):
        return _finding(FindingKind.ENGINE, "unknown", f"{what}, without its optimizer too")
    does = f"has {_text(unoptimized)} of its own" if isinstance(unoptimized, Rows) else f"raises {_text(unoptimized)}"
    return _finding(FindingKind.ENGINE, "unknown", f"{what}; without its optimizer it {does}")


def _answers(on: Outcome, off: Outcome | None, other: Outcome) -> bool:
    """Whether ``other``, an outcome of DuckDB, agrees with each of Spark's legs, which agree with each other.

    ``other`` is compared with both ``on`` and ``off``: equality isn't transitive if only some of the legs are ordered.
    DuckDB has other names for errors, so any two user errors agree.
    """
    spark = [on] if off is None else [on, off]
    if isinstance(other, Rows):
        return all(isinstance(leg, Rows) and same(leg, other) for leg in spark)
    return other.kind == "user" and all(_is(leg, "user") for leg in spark)


def _odd_one_out(on: Rows, off: Rows, duckdb: Outcome) -> Blame:
    like_on = isinstance(duckdb, Rows) and same(on, duckdb)
    like_off = isinstance(duckdb, Rows) and same(off, duckdb)
    if like_on == like_off:
        return "unknown"
    return "off" if like_on else "on"


def _against(duckdb: Outcome, blame: Blame) -> str:
    if isinstance(duckdb, Raised):
        return f"DuckDB has no answer: {_text(duckdb)}"
    return {"on": "DuckDB has off's rows", "off": "DuckDB has on's rows"}.get(blame, "DuckDB can't tell which is right")


def _is(outcome: Outcome, kind: Kind) -> bool:
    return isinstance(outcome, Raised) and outcome.kind == kind


def _is_silent(outcome: Outcome) -> bool:
    """Whether the leg neither has rows nor raises a user error: it timed out, or can't run the query."""
    return isinstance(outcome, Raised) and outcome.kind != "user"


def _is_invalid_plan(outcome: Outcome) -> bool:
    """Whether plan validation refused the plan: by kind, or by condition, because some releases call it internal."""
    if isinstance(outcome, Rows):
        return False
    by_condition = outcome.kind == "internal" and outcome.condition in PLAN_VALIDATION_CONDITIONS
    return outcome.kind == "invalid-plan" or by_condition


def _same_error(on: Outcome, off: Outcome) -> bool:
    if isinstance(on, Rows) or isinstance(off, Rows):
        return False
    return on.kind == off.kind == "user" and on.condition == off.condition


def _failed_leg(on: bool, off: bool) -> Blame:
    if on and off:
        return "unknown"
    return "on" if on else "off"


def _finding(kind: FindingKind, blame: Blame, reason: str) -> Verdict:
    return Verdict(name="finding", kind=kind, blame=blame, reason=reason)


def _inconclusive(on: Outcome, off: Outcome | None, duckdb: Outcome) -> Verdict:
    return Verdict(name="inconclusive", reason=_legs(on, off, duckdb))


def _order_open(on: Outcome, off: Outcome | None, duckdb: Outcome) -> Verdict:
    return Verdict(name="order-open", reason=f"SQL leaves open whether it raises; {_legs(on, off, duckdb)}")


def _spark(off: Outcome | None) -> str:
    return "on alone has" if off is None else "on and off have"


def _legs(on: Outcome, off: Outcome | None, duckdb: Outcome) -> str:
    return f"on: {_text(on)}; off: {'none' if off is None else _text(off)}; duckdb: {_text(duckdb)}"


def _text(outcome: Outcome) -> str:
    if isinstance(outcome, Rows):
        return f"{len(outcome.rows)} row{'' if len(outcome.rows) == 1 else 's'}"
    return f"{outcome.condition} ({outcome.kind})"
