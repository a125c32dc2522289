"""Findings of every kind, with the rules that they are blamed on: what scripts are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from oracles.answers.outcome import Outcome, Raised
from oracles.checks.verdict import Verdict
from oracles.failures.failure import Failure, Subject
from oracles.failures.scripts.own_rules import StockRule
from oracles.failures.scripts.script import script_of
from oracles.rules.entries.functions import FUNCTIONS
from oracles.rules.points import Point
from oracles.rules.rule import OPTIMIZER, Rule
from oracles.rules.switch import ByConf, Excluded, Injected, Reference
from strategies.ir import (
    INT,
    INTERVAL,
    MONTHS,
    TIME,
    And,
    AnyLimit,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Filter,
    Generate,
    Limit,
    Lit,
    MakeArray,
    Scan,
    Settings,
    SortKey,
    Table,
    TypedFilter,
    TypedMap,
    UserCall,
)
from tests.unit.failure_samples import EXCEPT, T0, answer, case_of, checked_of, failure

A = Col("a", INT)
POSITIVE = Compare(">", A, Lit(INT, 0))
FILTER = Filter(T0, POSITIVE)
CALLS = And(UserCall("python", "is_even", (UserCall("python", "add", (A, A)),)), UserCall("scala", "is_even", (A,)))
TRANSLATED = And(UserCall("translated", "is_even", (A,)), UserCall("python", "is_even", (A,)))
TABLES = Generate(
    Generate(T0, MakeArray(INT, (A,)), "e", "p", in_python=True), MakeArray(INT, (A,)), "f", outer=True, in_python=True
)
INTERNAL = Raised("java.lang.ClassCastException", None, "no cast", "internal")
REFUSED = Raised("PLAN_VALIDATION_FAILED_RULE_IN_BATCH", "XXKD0", "refused", "invalid-plan")
BROKEN = Raised("org.apache.spark.sql.assay.PlanPromises$Broken", None, "column 1 is declared", "invalid-plan")
SIBLINGS = Raised("org.apache.spark.sql.assay.Siblings$Differ", None, "two threads compute other values", "user")
OVERFLOW = Raised("ARITHMETIC_OVERFLOW", "22003", "too big", "user")
ONE, TWO = answer(1), answer(2)
SPANS = (Column("i", INTERVAL),)
MONTHLY = (Column("m", MONTHS),)
AGED = Case(Scan("t0", MONTHLY), Database((Table("t0", MONTHLY, ((-13,), (None,))),)))
LASTING = Case(Scan("t0", SPANS), Database((Table("t0", SPANS, ((-129_600_000_001,), (None,))),)))
CLOCK = (Column("d", TIME),)
TIMED = Case(Scan("t0", CLOCK), Database((Table("t0", CLOCK, ((43_200_000_001_000,), (None,))),)))
PLAIN = Subject()


def rule(name: str) -> Rule:
    """A rule of Spark's that can be excluded."""
    return Rule(name=name, rule_name=OPTIMIZER + name, batch="", switch=Excluded((OPTIMIZER + name,)))


EXCLUDED = rule("ColumnPruning")
BY_CONF = Rule(
    name="ReplaceExceptWithFilter",
    rule_name="x",
    batch="",
    switch=ByConf("spark.sql.optimizer.replaceExceptWithFilter", "false"),
)
BY_REFERENCE = Rule(name="RewriteExceptAll", rule_name="y", batch="", switch=Reference(("except-all",)))
OWN = Rule(name="MyRule", rule_name="com.acme.MyRule", batch="", switch=Injected("MyRule"))
OWN_FILE = StockRule(name="MyRule", class_name="com.acme.MyRule", point=Point.OPTIMIZER, source="package com.acme\n")


def found(
    kind: str,
    blame: str,
    rules: Sequence[Rule] = (),
    *,
    subject: Subject = PLAIN,
    fast: bool = False,
    case: Any = None,
    **legs: Outcome,
) -> tuple[Failure, Sequence[Rule]]:
    """A finding, and its rules."""
    verdict = Verdict(name="finding", kind=kind, blame=blame, reason="they differ")  # type: ignore[arg-type]  # its constructor checks them
    names = tuple(each.name for each in rules)
    checked = checked_of(case or case_of(FILTER), verdict, off=names, legs=legs)
    return replace(failure(checked, names), subject=subject, fast=fast), rules


RULE_LEGS: Mapping[str, Outcome] = {"on": ONE, "off": TWO, "duckdb": TWO}
Finding: TypeAlias = "tuple[Failure, Sequence[Rule]] | tuple[Failure, Sequence[Rule], Sequence[StockRule]]"
FINDINGS: dict[str, tuple[Finding, str]] = {
    "rule": (found("rule", "on", [EXCLUDED], **RULE_LEGS), "differ(Spark, Spark without ColumnPruning)"),
    "rule, by a setting": (
        found("rule", "off", [BY_CONF], on=TWO, off=ONE, duckdb=TWO),
        "differ(Spark, Spark without ReplaceExceptWithFilter)",
    ),
    "intervals": (
        found("rule", "on", [EXCLUDED], case=LASTING, **RULE_LEGS),
        "differ(Spark, Spark without ColumnPruning)",
    ),
    "times of day": (
        found("rule", "on", [EXCLUDED], case=TIMED, **RULE_LEGS),
        "differ(Spark, Spark without ColumnPruning)",
    ),
    "months": (
        found("rule", "on", [EXCLUDED], case=AGED, **RULE_LEGS),
        "differ(Spark, Spark without ColumnPruning)",
    ),
    "rules": (
        found("rule", "on", [EXCLUDED, BY_CONF], **RULE_LEGS),
        "differ(Spark, Spark without ColumnPruning, ReplaceExceptWithFilter)",
    ),
    "rule that stock Spark can't turn off": (found("rule", "on", [BY_REFERENCE], **RULE_LEGS), "differ(Spark, DuckDB)"),
    "rule of an extension": (
        found("rule", "on", [OWN], subject=Subject(jars=("/a/b.jar",), extensions=("com.acme.E",)), **RULE_LEGS),
        "differ(Spark, DuckDB)",
    ),
    "rule of a file": (
        (*found("rule", "on", [OWN], **RULE_LEGS), (OWN_FILE,)),
        "differ(Spark, Spark without MyRule)",
    ),
    "rule of a jar, and a rule of Spark's": (
        (
            *found("rule", "on", [OWN, EXCLUDED], subject=Subject(jars=("/a/b.jar",)), **RULE_LEGS),
            (replace(OWN_FILE, source=None, point=Point.EXPERIMENTAL),),
        ),
        "differ(Spark, Spark without MyRule, ColumnPruning)",
    ),
    "engine": (found("engine", "unknown", on=ONE, off=ONE, duckdb=TWO), "differ(Spark, DuckDB)"),
    "engine, DuckDB's": (
        found("engine", "duckdb", on=ONE, off=ONE, duckdb=TWO, duckdb_unoptimized=ONE),
        "differ(Spark, DuckDB)",
    ),
    "engine, DuckDB's by a third engine": (
        found("engine", "duckdb", on=ONE, off=ONE, duckdb=TWO, duckdb_unoptimized=BROKEN, sqlite=ONE),
        "differ(Spark, DuckDB)",
    ),
    "engine, Spark's by a third engine": (
        found("engine", "spark", on=ONE, off=ONE, duckdb=TWO, duckdb_unoptimized=TWO, sqlite=TWO),
        "differ(Spark, DuckDB)",
    ),
    "engine, an error of Spark's": (
        found("engine", "unknown", on=OVERFLOW, off=OVERFLOW, duckdb=TWO),
        "raises(Spark, ARITHMETIC_OVERFLOW) and has_rows(DuckDB)",
    ),
    "error": (
        found("error", "on", [EXCLUDED], on=OVERFLOW, off=TWO, duckdb=TWO),
        "raises(Spark, ARITHMETIC_OVERFLOW) and has_rows(Spark without ColumnPruning)",
    ),
    "internal": (
        found("internal", "on", [EXCLUDED], on=INTERNAL, off=TWO, duckdb=TWO),
        "raises(Spark, java.lang.ClassCastException)",
    ),
    "internal without a rule": (
        found("internal", "off", [EXCLUDED], on=TWO, off=INTERNAL, duckdb=TWO),
        "raises(Spark without ColumnPruning, java.lang.ClassCastException)",
    ),
    "internal on both": (
        found("internal", "unknown", on=INTERNAL, off=INTERNAL, duckdb=TWO),
        "raises(Spark, java.lang.ClassCastException)",
    ),
    "invalid plan": (
        found("invalid-plan", "on", [BY_REFERENCE], on=REFUSED, off=TWO, duckdb=TWO),
        "raises(Spark, PLAN_VALIDATION_FAILED_RULE_IN_BATCH)",
    ),
    "broken promise": (
        found("invalid-plan", "on", [EXCLUDED], on=BROKEN, off=TWO, duckdb=TWO),
        "raises(Spark, the plan promises)",
    ),
    "two threads": (
        found("error", "on", [EXCLUDED], on=SIBLINGS, off=TWO, duckdb=TWO),
        "raises(Spark, two threads) and has_rows(Spark without ColumnPruning)",
    ),
    "metamorphic": (
        found(
            "metamorphic",
            "on",
            [EXCLUDED],
            case=replace(case_of(FILTER), partition=POSITIVE),
            on=ONE,
            off=ONE,
            parts=TWO,
            duckdb=ONE,
        ),
        "differ(Spark, Spark, in three parts)",
    ),
    "parts that raise": (
        found(
            "internal",
            "on",
            case=replace(case_of(FILTER), partition=POSITIVE),
            on=ONE,
            off=ONE,
            parts=INTERNAL,
            duckdb=ONE,
        ),
        "raises(Spark, in three parts, java.lang.ClassCastException)",
    ),
    "in an order": (
        found(
            "rule",
            "on",
            [EXCLUDED],
            case=case_of(Limit(T0, (SortKey(A), SortKey(Col("s", T0.columns[1].type))), 2)),
            **RULE_LEGS,
        ),
        "differ(Spark, Spark without ColumnPruning)",
    ),
    "a limit without an order": (
        found("rule", "on", [EXCLUDED], case=case_of(AnyLimit(FILTER, 1)), **RULE_LEGS),
        "differ(Spark, Spark without ColumnPruning)",
    ),
    "DataFrames": (
        found("rule", "on", [EXCLUDED], case=case_of(EXCEPT, settings=Settings(form="dataframe")), **RULE_LEGS),
        "differ(Spark, Spark without ColumnPruning)",
    ),
    "functions in Python and in Scala": (
        found("rule", "on", [EXCLUDED], case=case_of(Filter(T0, CALLS)), **RULE_LEGS),
        "differ(Spark, Spark without ColumnPruning)",
    ),
    "a function in Python that is translated": (
        found("rule", "on", [*FUNCTIONS], case=case_of(Filter(T0, TRANSLATED)), **RULE_LEGS),
        "differ(Spark, Spark without ConvertToCatalyst)",
    ),
    "table functions in Python": (
        found("rule", "on", [EXCLUDED], case=case_of(TABLES), **RULE_LEGS),
        "differ(Spark, Spark without ColumnPruning)",
    ),
    "a function in Scala, and a rule of a file": (
        (*found("rule", "on", [OWN], case=case_of(Filter(T0, CALLS.right)), **RULE_LEGS), (OWN_FILE,)),
        "differ(Spark, Spark without MyRule)",
    ),
    "a typed Dataset": (
        found(
            "rule",
            "on",
            [EXCLUDED],
            case=case_of(TypedMap(TypedFilter(T0, "a", "is_even"), "a", "same"), settings=Settings(form="dataframe")),
            **RULE_LEGS,
        ),
        "differ(Spark, Spark without ColumnPruning)",
    ),
    "in memory": (
        found("rule", "on", [EXCLUDED], fast=True, **RULE_LEGS),
        "differ(Spark, Spark without ColumnPruning)",
    ),
    "everything set": (
        found(
            "rule",
            "on",
            [EXCLUDED],
            case=case_of(FILTER, settings=Settings("orc", "sql", True, True, 3, False, "merge", False, True)),
            subject=Subject(conf={"spark.sql.shuffle.partitions": "7"}),
            **RULE_LEGS,
        ),
        "differ(Spark, Spark without ColumnPruning)",
    ),
}

NO_SCRIPTS: dict[str, tuple[tuple[Failure, Sequence[Rule]], str]] = {
    "a mutant": (found("rule", "on", [EXCLUDED], subject=Subject(mutant="Wrong"), **RULE_LEGS), "Wrong, a planted"),
    "a rule of one's own": (
        found("rule", "on", [OWN], **RULE_LEGS),
        "MyRule: it isn't known where",
    ),
    "misbehaviour": (found("loop", "on", [EXCLUDED], **RULE_LEGS), "loop: only the switch"),
    "time": (found("timeout", "on", [EXCLUDED], **RULE_LEGS), "it takes too long, or takes its engine down"),
    "a reference operator is wrong": (
        found("rule", "off", [BY_REFERENCE], on=TWO, off=ONE, duckdb=TWO),
        "RewriteExceptAll: stock Spark can't turn it off",
    ),
    "a reference operator raises": (
        found("internal", "off", [BY_REFERENCE], on=TWO, off=INTERNAL, duckdb=TWO),
        "RewriteExceptAll: stock Spark can't turn it off",
    ),
}


def text_of(finding: tuple[Failure, Sequence[Rule]]) -> str:
    """The script of a finding."""
    return script_of(*finding).text


def module_of(text: str) -> dict[str, Any]:
    """The names that a script defines; nothing of it has run."""
    names: dict[str, Any] = {"__name__": "script"}
    exec(compile(text, "script.py", "exec"), names)
    return names


def of_case(case: Case) -> dict[str, Any]:
    """The script of a finding of ``case``."""
    return module_of(text_of(found("rule", "on", [EXCLUDED], case=case, **RULE_LEGS)))
