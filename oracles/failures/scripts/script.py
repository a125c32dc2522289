"""Write a finding as a script for stock Spark and DuckDB, which runs the query and looks for the difference.

The script can be attached to a ticket. If there can't be one, or if it may miss the finding, the reason is given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.answers.rows import diff, from_plain, same
from oracles.engines.duckdb import SETTINGS as DUCKDB_SETTINGS
from oracles.engines.spark.leg_conf import EACH_FILE, TIME_ZONE, TIMES, stock_conf
from oracles.engines.spark.user_functions import SCALA_FILE, TYPED_FILE, calls_in, scala_text
from oracles.failures.again import script_command
from oracles.failures.failure import Failure
from oracles.failures.loss import was_loss
from oracles.failures.scripts.functions import functions_of
from oracles.failures.scripts.literals import literal
from oracles.failures.scripts.own_rules import EXTENSION, StockRule, is_added_to_the_session, sources_of
from oracles.failures.scripts.tables import duckdb_statements, spark_statements
from oracles.patterns.unsupported import asks_for_times
from oracles.rules.rule import Rule
from oracles.rules.switch import ByConf, Excluded, Injected, Reference, switch_off
from oracles.sql import DataFrameCompiler, DuckdbCompiler, UnsupportedNode, compiler_of
from strategies.ir import (
    INTERVAL,
    MONTHS,
    TIME,
    TIMESTAMP,
    UTC,
    AnyLimit,
    Node,
    Relation,
    Settings,
    SqlType,
    has_an_order,
    is_made_of,
    keys_of_order,
    operators,
    partitioned,
    scans,
)

SHOWS = "the difference shows"
NO_DIFFERENCE = "no difference"
"""The ends of a script's result lines, one line per set of settings; any other end means that there is no result."""

_TEMPLATE = "script.py.jinja"
_PROMISE = "PlanPromises$Broken"
"""The jar's exception for rows that contradict the plan's metadata, such as a NULL in a non-nullable column."""
_SIBLINGS = "Siblings$Differ"
"""The jar's exception for other values in two threads at once."""
_OURS = "spark.assay."


class NoScript(ValueError):
    """Stock Spark can't show the finding; the message is the reason in one line."""


@dataclass(frozen=True, slots=True)
class Script:
    """``text`` is the script's source; ``doubts`` are reasons why it may miss the finding."""

    text: str
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Leg:
    """A run of the script: the name of its answer, and the expression that computes it."""

    name: str
    call: str


@dataclass(frozen=True, slots=True)
class _Program:
    """A query for Spark: SQL text, or a DataFrame program over ``tables``."""

    name: str
    text: str
    tables: tuple[str, ...] = ()


def script_of(failure: Failure, rules: Sequence[Rule], own: Sequence[StockRule] = ()) -> Script:
    """The script that shows ``failure``, whose guilty rules are ``rules``.

    :param own: the loaded rules of one's own, apart from those of extensions; the script injects each.
    :raises NoScript: stock Spark can't show it.
    """
    require_stock(failure, rules, own)
    question = _Question(failure, rules, own)
    text = _template().render(
        failure=failure,
        shows=SHOWS,
        no_difference=NO_DIFFERENCE,
        title=question.title(),
        command=_in_a_docstring(script_command(f"{failure.fingerprint}.py", failure=failure)),
        operators=operators(failure.case.query),
        spark_tables=spark_statements(failure.case.database, failure.case.settings),
        duckdb_settings=DUCKDB_SETTINGS,
        duckdb_tables=duckdb_statements(failure.case.database, failure.case.settings.time_zone),
        memory=_memory(failure),
        table_names=[table.name for table in failure.case.database.tables],
        session=_stock(failure.subject.conf),
        jars=failure.subject.jars,
        extensions=[*failure.subject.extensions, *([EXTENSION] if own else [])],
        sources={**sources_of(own), **{file: scala_text(file) for file in question.scala_files()}},
        **functions_of(question.nodes),
        typed=question.is_typed,
        extension=EXTENSION,
        adds=is_added_to_the_session(own),
        meaning=meaning(failure),
        found_under=found_under(failure),
        without=question.without,
        programs=question.programs,
        uses_functions=any(program.tables and "F." in program.text for program in question.programs),
        duckdb_query=question.duckdb_query,
        duckdb_everything=question.duckdb_everything,
        legs=question.legs,
        criterion=question.criterion(),
        ordered=has_an_order(failure.case.query) and failure.verdict.kind != "metamorphic",
        limit=failure.case.query if isinstance(failure.case.query, AnyLimit) else None,
        promises=question.promises,
        siblings=question.siblings,
        is_utc=failure.case.settings.time_zone == UTC,
        zoned=[_unzoned(kind) for kind in question.types] if any(map(_has_zone, question.types)) else None,
        intervals=any(is_made_of(kind, INTERVAL) for kind in question.types),
        months=any(is_made_of(kind, MONTHS) for kind in question.types),
        times=any(is_made_of(kind, TIME) for kind in question.types),
    )
    return Script(text, tuple(_doubts(failure, rules, question, own)))


def _in_a_docstring(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def require_stock(failure: Failure, rules: Sequence[Rule], own: Sequence[StockRule] = ()) -> None:
    """Raise NoScript if stock Spark can't show ``failure`` at all."""
    if failure.subject.mutant is not None:
        raise NoScript(f"{failure.subject.mutant}, a planted wrong rule, was on: stock Spark has not got it")
    kind = failure.verdict.kind
    if kind is not None and kind.misbehaviour:
        raise NoScript(f"{kind}: only the switch around a rule of one's own sees it")
    if was_loss(failure):
        raise NoScript("it takes too long, or takes its engine down: there is no answer to compare")
    if failure.case.settings.source == "v2":
        raise NoScript("the tables are of a data source of Assay's own jar: stock Spark has not got it")
    if failure.case.query.is_statement:
        raise NoScript("it changes a table: there is no script for that")
    if keys_of_order(failure.case.query) and not _rows_differ(failure):
        raise NoScript("its rows differ in the order of some columns alone, and a script compares whole rows")
    unknown = {rule.name for rule in rules if isinstance(rule.switch, Injected)} - {rule.name for rule in own}
    if unknown and not failure.subject.extensions:
        raise NoScript(f"{', '.join(sorted(unknown))}: it isn't known where a rule of one's own comes from")


def _rows_differ(failure: Failure) -> bool:
    found = [from_plain(leg) for leg in failure.legs.values()]
    rows = [outcome for outcome in found if isinstance(outcome, Rows)]
    return len(rows) < len(found) or any(diff(rows[0], other) for other in rows[1:])


class _Question:
    """The content of a script: the programs, the legs, and the difference among their answers."""

    def __init__(self, failure: Failure, rules: Sequence[Rule], own: Sequence[StockRule]) -> None:
        self.failure = failure
        self.names = ", ".join(rule.name for rule in rules)
        self.without = switched_off(failure, rules, own)
        self.outcomes: Mapping[str, Outcome] = {name: from_plain(leg) for name, leg in failure.legs.items()}
        case = failure.case
        self.types = [field.type for field in case.query.fields]
        self.programs = [_program("QUERY", case.query, case.settings)]
        if "parts" in self.outcomes and case.partition is not None:
            self.programs.append(_program("PARTS", partitioned(case.query, case.partition), case.settings))
        self.duckdb_query = _on_duckdb(case.query)
        self.duckdb_everything = None
        if isinstance(case.query, AnyLimit):
            self.programs.append(_program("EVERYTHING", case.query.child, case.settings))
            self.duckdb_everything = _on_duckdb(case.query.child)
        self.legs = {leg.name: leg for leg in self._legs()}
        self.promises = any(_PROMISE in end.condition for end in self._raised().values())
        self.siblings = any(_SIBLINGS in end.condition for end in self._raised().values())

    @property
    def nodes(self) -> list[Node]:
        """The query, and the predicate by which it is partitioned, if it is."""
        case = self.failure.case
        return [case.query, *([] if case.partition is None else [case.partition])]

    @property
    def is_typed(self) -> bool:
        """Whether a program has operations of typed Datasets."""
        return any(program.tables and "typed(" in program.text for program in self.programs)

    def scala_files(self) -> list[str]:
        """The Scala files with functions of users that the programs need."""
        return [*([SCALA_FILE] if calls_in(self.nodes, "scala") else []), *([TYPED_FILE] if self.is_typed else [])]

    def _legs(self) -> Iterator[_Leg]:
        everything = ", EVERYTHING" if self.duckdb_everything else ""
        yield _Leg("Spark", f"on_spark(spark, QUERY, settings{everything})")
        if self.without:
            yield _Leg(self._off, f"on_spark(spark, QUERY, {{**settings, **WITHOUT}}{everything})")
        if any(program.name == "PARTS" for program in self.programs):
            yield _Leg(_PARTS, "on_spark(spark, PARTS, settings)")
        if self.duckdb_query is not None:
            yield _Leg("DuckDB", "on_duckdb()")
            if "duckdb_unoptimized" in self.outcomes:
                yield _Leg(_PLAIN_DUCKDB, "on_duckdb(optimize=False)")

    @property
    def _off(self) -> str:
        return f"Spark without {self.names}"

    def _raised(self) -> dict[str, Raised]:
        """The errors of Spark's legs that make the finding, by the names of the script's legs."""
        kind = self.failure.verdict.kind
        wanted = ("user",) if kind in ("error", "engine", "metamorphic") else ("internal", "invalid-plan")
        called = {"on": "Spark", "off": self._off, "parts": _PARTS}
        raised = {
            called[name]: end
            for name, end in self.outcomes.items()
            if name in called and isinstance(end, Raised) and end.kind in wanted
        }
        return {name: end for name, end in raised.items() if name in self.legs}

    def criterion(self) -> str:
        """The condition for the finding, as an expression over ``answers``."""
        kind = self.failure.verdict.kind
        raised = self._raised()
        if raised:
            errors = [f"raises(answers[{name!r}], {_error(end)!r})" for name, end in raised.items()]
            others = {"error": self._off, "engine": "DuckDB", "metamorphic": "Spark"}
            other = others.get(kind or "")
            return " and ".join([*errors, *([f"has_rows(answers[{other!r}])"] if other in self.legs else [])])
        for one, other in self._pairs():
            if one in self.legs and other in self.legs:
                return f"differ(answers[{one!r}], answers[{other!r}])"
        raise NoScript(f"{self.names or 'some rule'}: stock Spark can't turn it off, and nothing is wrong with it on")

    def _pairs(self) -> Iterator[tuple[str, str]]:
        """Pairs of legs: the first pair that the script has must have equal answers."""
        kind = self.failure.verdict.kind
        on, duckdb = self.outcomes.get("on"), self.outcomes.get("duckdb")
        if kind == "metamorphic":
            yield "Spark", _PARTS
        if kind == "rule":
            yield "Spark", self._off
        if kind in ("rule", "engine") and isinstance(on, Rows) and isinstance(duckdb, Rows) and not same(on, duckdb):
            yield "Spark", "DuckDB"

    def _optimizer_matters(self) -> bool:
        found, plain = self.outcomes.get("duckdb"), self.outcomes.get("duckdb_unoptimized")
        return isinstance(plain, Rows) and isinstance(found, Rows) and not same(found, plain)

    def title(self) -> str:
        """The finding in one line."""
        versions = self.failure.versions
        spark, duckdb = f"Spark {versions.get('spark', '')}".strip(), f"DuckDB {versions.get('duckdb', '')}".strip()
        kind = self.failure.verdict.kind
        if kind == "rule" and self.without:
            return f"{spark} has other rows with {self.names} than without."
        if kind == "metamorphic":
            return f"{spark} has other rows for a query than for the same in three parts."
        raised = next(iter(self._raised().values()), None)
        if raised is not None:
            what = f"ends in {_error(raised)}"
            if self.promises:
                what = "breaks what its plan promises of the rows"
            elif self.siblings:
                what = "computes other values in two threads at once"
            return f"{spark} {what}{f' ({self.names})' if self.names else ''}."
        if self.failure.verdict.blame == "duckdb":
            than = " with its optimizer than without, and" if self._optimizer_matters() else ""
            return f"{duckdb} has other rows{than} than {spark}."
        return f"{spark} has other rows than {duckdb}{f' ({self.names})' if self.names else ''}."


_PARTS = "Spark, in three parts"
_PLAIN_DUCKDB = "DuckDB without its optimizer"


def _error(raised: Raised) -> str:
    """A part of the error's message that is the same in all sessions."""
    if _SIBLINGS in raised.condition:
        return "two threads"
    return "the plan promises" if _PROMISE in raised.condition else raised.condition


def switched_off(failure: Failure, rules: Sequence[Rule], own: Sequence[StockRule] = ()) -> dict[str, str]:
    """Settings of stock Spark that turn off all of ``rules``; empty if some rule can't be turned off."""
    own_ways = [rule.switch.stock if isinstance(rule.switch, Reference) else rule.switch for rule in rules]
    switches = [switch for switch in own_ways if isinstance(switch, (Excluded, ByConf))]
    names = {rule.name for rule in rules}
    injected = [rule.off for rule in own if rule.name in names]
    if len(switches) + len(injected) < len(rules) or not rules:
        return {}
    settings = switch_off(switches, _stock(failure.subject.settings.off))
    return {**settings, **{key: value for off in injected for key, value in off.items()}}


def _stock(conf: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in conf.items() if not key.startswith(_OURS)}


def meaning(failure: Failure) -> dict[str, str]:
    """The settings that the query's meaning depends on, and those without which the finding doesn't show."""
    settings = failure.case.settings
    conf = {
        TIME_ZONE: settings.time_zone,
        **({} if settings.ansi else {"spark.sql.ansi.enabled": "false", "spark.sql.legacy.sizeOfNull": "false"}),
        **({"spark.sql.selfJoinAutoResolveAmbiguity": "false"} if settings.form == "dataframe" else {}),
        **({"spark.sql.planChangeValidation": "true"} if failure.verdict.kind == "invalid-plan" else {}),
        **(EACH_FILE if settings.table_partitions > 1 else {}),
        **(TIMES if asks_for_times(failure.case) else {}),
    }
    return {key: value for key, value in conf.items() if key not in failure.subject.conf}


def found_under(failure: Failure) -> dict[str, str]:
    """The other settings under which the failure was found."""
    conf = {**stock_conf(failure.case.settings), **_stock(failure.subject.settings.on)}
    return {key: value for key, value in conf.items() if key not in meaning(failure)}


def _memory(failure: Failure) -> str | None:
    """The kind of in-memory rows that the script turns the tables into; None if it doesn't."""
    if failure.fast:
        return "rdd"
    return "list" if failure.case.settings.source == "local" else None


def _program(name: str, query: Relation, settings: Settings) -> _Program:
    dataframes, sql = DataFrameCompiler(settings.literals), compiler_of(settings)
    if settings.form == "dataframe" and dataframes.supports(query):
        return _Program(name, dataframes.compile(query), tuple(sorted({scan.table for scan in scans(query)})))
    if not sql.supports(query):
        raise NoScript("neither SQL nor DataFrames have words for the query")
    return _Program(name, sql.compile(query))


def _on_duckdb(query: Relation) -> str | None:
    try:
        return DuckdbCompiler().compile(query)
    except UnsupportedNode:
        return None


def _doubts(failure: Failure, rules: Sequence[Rule], question: _Question, own: Sequence[StockRule]) -> Iterator[str]:
    settings = failure.case.settings
    if settings.join != "auto":
        yield f"every join had a hint for {settings.join} joins, which the script's settings only come near to"
    if settings.form == "dataframe" and not question.programs[0].tables:
        yield "the finding's query is a DataFrame program, the script's is SQL"
    if failure.subject.rules and not own and not any(isinstance(rule.switch, Injected) for rule in rules):
        yield f"rules of one's own were loaded: {', '.join(failure.subject.rules)}"
    if failure.fast:
        yield "the tables were in the JVM's memory, of a kind that stock Spark hasn't got"


def _has_zone(kind: SqlType) -> bool:
    return is_made_of(kind, TIMESTAMP)


def _unzoned(kind: SqlType) -> str | None:
    """The DuckDB type without time zones, to be read without a zone database; None if ``kind`` has no zone."""
    name = DuckdbCompiler().type_name(kind).replace("TIMESTAMPTZ", "TIMESTAMP")
    return name if _has_zone(kind) else None


@cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["literal"] = literal
    return environment.get_template(_TEMPLATE)
