"""The kinds of findings, and the traits by which triage, reports and scripts treat a kind."""

from __future__ import annotations

from enum import StrEnum

_TRAITS = frozenset({"about engines", "of rows", "fails", "misbehaviour"})


class FindingKind(StrEnum):
    """The kind of a finding; the gravest kinds come first.

    :param label: the guilty rule's offence, in a few words.
    :param convicts: a finding of this kind is evidence against its guilty rules; a difference between Spark and DuckDB
        is none.
    :param of_rows: both answers that are compared have rows, and the rows differ.
    :param fails: a Spark leg has no valid plan, or its query ends in an internal error.
    :param misbehaviour: the rule itself misbehaves, whatever the answer is; only the switch around the rule observes
        that.
    """

    label: str
    convicts: bool
    of_rows: bool
    fails: bool
    misbehaviour: bool

    def __new__(cls, value: str, label: str = "", *traits: str) -> FindingKind:
        """Make the kind called ``value``.

        :param traits: words of _TRAITS; a kind convicts unless it is 'about engines'.
        :raises ValueError: a trait is unknown: a misspelt one would be false in silence.
        """
        if unknown := sorted({*traits} - _TRAITS):
            raise ValueError(f"{value} with unknown traits: {', '.join(unknown)}")
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.label = label
        kind.convicts = "about engines" not in traits
        kind.of_rows = "of rows" in traits
        kind.fails = "fails" in traits
        kind.misbehaviour = "misbehaviour" in traits
        return kind

    RULE = "rule", "another answer", "of rows"
    INVALID_PLAN = "invalid-plan", "Spark refuses the plan", "fails"
    INTERNAL = "internal", "the query fails", "fails"
    ERROR = "error", "an error comes or goes"
    ENGINE = "engine", "another answer than DuckDB's", "about engines"
    METAMORPHIC = "metamorphic", "another answer, in parts of a query", "of rows"
    TIMEOUT = "timeout", "it takes too long"
    SCHEMA = "schema", "it changes the schema", "misbehaviour"
    LOOP = "loop", "it loops", "misbehaviour"
    NOT_IDEMPOTENT = "not-idempotent", "once isn't enough", "misbehaviour"
