"""The kinds of findings, with what every place asks of a kind."""

from __future__ import annotations

from enum import StrEnum


class FindingKind(StrEnum):
    """The subject of a finding; the gravest kinds come first.

    :param label: the offence of the guilty rule, in a few words.
    :param convicts: a finding of this kind speaks against a guilty rule; one of the engines' difference does not.
    :param of_rows: both sides of the comparison have rows, and the rows differ.
    :param fails: the plan, or the query, can't be had from a Spark leg.
    :param misbehaviour: the rule itself does wrong, whatever the answer; only the switch around it sees that.
    """

    label: str
    convicts: bool
    of_rows: bool
    fails: bool
    misbehaviour: bool

    def __new__(cls, value: str, label: str = "", *traits: str) -> FindingKind:
        """Set what the traits say."""
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
