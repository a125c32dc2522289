"""Findings as scripts: for every kind and type a text that runs, asks the right question, and compares as Assay does.

tests/rules runs scripts on Spark; here their DuckDB half runs for real.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.fuzz.case_mix import forms_of
from oracles.answers.outcome import Rows
from oracles.engines.duckdb import DuckdbEngine
from oracles.failures.again import script_command
from oracles.failures.scripts.literals import literal
from oracles.failures.scripts.script import NoScript, script_of
from oracles.rules.entries.functions import TRANSLATES
from strategies.draw.cases import cases
from strategies.ir import (
    JOIN_STRATEGIES,
    AnyLimit,
    Case,
    Settings,
    without_limit,
)
from tests.unit.failure_samples import case_of
from tests.unit.script_samples import (
    EXCLUDED,
    FINDINGS,
    NO_SCRIPTS,
    RULE_LEGS,
    Subject,
    found,
    module_of,
    of_case,
    text_of,
)

ALL = {name: finding for name, (finding, _) in FINDINGS.items()}


def asked(names: dict[str, Any]) -> str:
    """The question that a script asks of its answers, each called by its name."""

    class Named(dict[str, str]):
        def __missing__(self, name: str) -> str:
            return name

    said: list[str] = []

    def noted(word: str) -> Any:
        return lambda *arguments: said.append(f"{word}({', '.join(arguments)})") or True

    names.update({word: noted(word) for word in ("differ", "raises", "has_rows")})
    assert names["shows"](Named())
    return " and ".join(said)


@pytest.mark.parametrize(("finding", "question"), FINDINGS.values(), ids=FINDINGS)
def test_every_kind_of_finding_has_a_script_with_its_question(finding, question: str) -> None:
    assert asked(module_of(text_of(finding))) == question


@pytest.mark.parametrize("finding", ALL.values(), ids=ALL)
def test_a_script_needs_pyspark_and_duckdb_alone(finding) -> None:
    tree = ast.parse(text_of(finding))
    modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    modules |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {module.split(".")[0] for module in modules} & {"oracles", "strategies", "jars", "tests", "pyarrow", "pytz"}
    assert not ours
    assert "assay." not in text_of(finding).replace("Found by Assay", "")


@pytest.mark.parametrize("finding", ALL.values(), ids=ALL)
def test_a_script_uses_all_that_it_defines(finding) -> None:
    tree = ast.parse(text_of(finding))
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    used |= {
        node.value.id for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    }
    defined = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    defined |= {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    defined |= {
        (alias.asname or alias.name).split(".")[0]
        for node in tree.body
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    assert defined <= used


def test_a_script_defines_and_registers_the_functions_in_python_that_it_calls() -> None:
    text = text_of(ALL["functions in Python and in Scala"])
    assert module_of(text)["add"](None, 3) == 3
    assert "def mark(" not in text
    assert all(f'spark.udf.register("python_{name}", {name}, ' in text for name in ("add", "is_even"))


def test_a_script_registers_functions_for_translation_with_the_setting_on_and_turns_it_off_on_the_other_leg() -> None:
    text = text_of(ALL["a function in Python that is translated"])
    assert text.count("def is_even(") == 1
    plain, setting, translated = map(
        text.index, ('"python_is_even"', f'"{TRANSLATES}", "true"', '"translated_is_even"')
    )
    assert plain < setting < translated
    assert module_of(text)["WITHOUT"][TRANSLATES] == "false"
    assert TRANSLATES not in text_of(ALL["functions in Python and in Scala"])


def test_a_script_compiles_the_functions_in_scala_that_it_calls() -> None:
    with_rule = text_of(ALL["a function in Scala, and a rule of a file"])
    assert set(module_of(with_rule)["SCALA"]) == {"Rule1.scala", "StockRules.scala", "UserFunctions.scala"}
    assert "UserFunctions.register(spark._jsparkSession)" in with_rule
    assert "UserFunctions" not in text_of(ALL["rule of a file"])


def test_a_script_has_the_operations_of_typed_datasets_that_it_calls() -> None:
    text = text_of(ALL["a typed Dataset"])
    assert set(module_of(text)["SCALA"]) == {"TypedRows.scala"}
    assert "typed('map', typed('filter', " in text
    assert "TypedRows" not in text_of(ALL["DataFrames"])


@pytest.mark.parametrize(("finding", "reason"), NO_SCRIPTS.values(), ids=NO_SCRIPTS)
def test_what_stock_spark_can_not_show_has_no_script_and_a_reason(finding, reason: str) -> None:
    with pytest.raises(NoScript, match=f"^{reason}") as refused:
        script_of(*finding)
    assert len(str(refused.value).splitlines()) == 1


def unlimited(case: Case) -> Case:
    """``case`` without a LIMIT that may take any rows, over files in place of a source that no script can have."""
    settings = replace(case.settings, source="parquet") if case.settings.source == "v2" else case.settings
    return replace(case, query=without_limit(case.query), settings=settings, partition=None)


@pytest.mark.slow  # each case is written as a script and asked of DuckDB twice
@given(cases(forms_of=forms_of).filter(lambda case: not case.query.is_statement).map(unlimited))
def test_a_drawn_case_is_asked_of_duckdb_as_the_engine_asks_it(case: Case) -> None:
    """The same number of rows, as often the same row, of the same number of types."""
    with DuckdbEngine() as engine:
        outcome = engine.run(case.query, case.database)
    answer = of_case(case)["on_duckdb"]()
    assert isinstance(outcome, Rows) == (not answer.error)
    assert sorted(Counter(getattr(outcome, "rows", ())).values()) == sorted(Counter(answer.rows).values())
    assert len(getattr(outcome, "schema", ())) == len(answer.types)


RULE_SCRIPT = module_of(text_of(ALL["rule"]))


def answers_of(names: dict[str, Any], *rows: str, types: tuple[str, ...] = ("INTEGER",)) -> Any:
    """An answer of a script."""
    return names["Answer"](list(types), list(rows))


def test_multisets_and_types_are_compared() -> None:
    differ = RULE_SCRIPT["differ"]
    one = answers_of(RULE_SCRIPT, "(1)", "(1)", "(2)")
    assert not differ(one, answers_of(RULE_SCRIPT, "(2)", "(1)", "(1)"))
    assert differ(one, answers_of(RULE_SCRIPT, "(1)", "(2)", "(2)"))
    assert differ(one, answers_of(RULE_SCRIPT, "(1)", "(1)", "(2)", types=("BIGINT",)))


def test_the_order_counts_where_the_query_has_one() -> None:
    ordered = module_of(text_of(ALL["in an order"]))
    one, other = answers_of(ordered, "(1)", "(2)"), answers_of(ordered, "(2)", "(1)")
    assert ordered["differ"](one, other)
    assert not ordered["differ"](one, one)


LIMITED = module_of(text_of(ALL["a limit without an order"]))


@pytest.mark.parametrize(
    ("rows", "right"),
    [(("(1)",), True), (("(2)",), True), ((), False), (("(3)",), False), (("(1)", "(2)"), False)],
    ids=str,
)
def test_a_limit_without_an_order_may_take_any_rows(rows: tuple[str, ...], right: bool) -> None:
    everything = answers_of(LIMITED, "(1)", "(2)")
    assert (LIMITED["settled"](answers_of(LIMITED, *rows), everything) == everything) == right


def test_rows_of_an_input_that_raises_are_what_it_raises() -> None:
    failed = LIMITED["Answer"](error="too big")
    assert LIMITED["settled"](answers_of(LIMITED, "(1)"), failed) is failed
    assert LIMITED["settled"](failed, answers_of(LIMITED, "(1)")) is failed


def test_another_error_than_the_expected_one_tells_nothing() -> None:
    names = module_of(text_of(ALL["internal"]))
    assert names["raises"](names["Answer"](error="x java.lang.ClassCastException y"), "ClassCastException")
    assert not names["raises"](answers_of(names, "(1)"), "ClassCastException")
    with pytest.raises(names["CannotTell"]):
        names["raises"](names["Answer"](error="out of memory"), "ClassCastException")


def test_an_error_in_the_place_of_rows_tells_nothing() -> None:
    with pytest.raises(RULE_SCRIPT["CannotTell"]):
        RULE_SCRIPT["differ"](RULE_SCRIPT["Answer"](error="out of memory"), answers_of(RULE_SCRIPT, "(1)"))


def test_duckdb_is_asked_without_its_optimizer_where_that_stumbles() -> None:
    names = module_of(text_of(ALL["engine"]))
    names["DUCKDB_QUERY"] = "SELECT * FROM missing"
    assert "missing" in names["on_duckdb"]().error


@pytest.mark.parametrize("settings", [Settings("local"), Settings()], ids=["rows in the plan", "rows of no plan"])
def test_tables_in_memory_are_made_of_those(settings: Settings) -> None:
    finding = found(
        "rule", "on", [EXCLUDED], fast=settings.source != "local", case=case_of(settings=settings), **RULE_LEGS
    )
    assert "createOrReplaceTempView(name)" in text_of(finding)
    assert "createOrReplaceTempView" not in text_of(ALL["rule"])


def settings_in(names: dict[str, Any]) -> Iterator[str]:
    """Every setting of Spark's that a script touches."""
    for name in ("MEANING", "FOUND_UNDER", "WITHOUT", "SESSION"):
        yield from names.get(name, {})


@pytest.mark.parametrize("join", JOIN_STRATEGIES)
def test_every_setting_is_one_of_sparks(join) -> None:
    names = of_case(case_of(settings=Settings(join=join, ansi=False, vectorized=False, statistics=True)))
    assert {key.split(".")[:2][1] for key in settings_in(names)} == {"sql"}
    assert names["MEANING"]["spark.sql.ansi.enabled"] == "false"


@pytest.mark.parametrize(
    ("finding", "doubt"),
    [
        (
            found("rule", "on", [EXCLUDED], case=case_of(settings=Settings(join="hash")), **RULE_LEGS),
            "hint for hash joins",
        ),
        (found("rule", "on", [EXCLUDED], subject=Subject(rules=("a.B@optimizer",)), **RULE_LEGS), "a.B@optimizer"),
        (ALL["in memory"], "in the JVM's memory"),
    ],
    ids=["joins", "own rules", "memory"],
)
def test_where_a_script_may_miss_the_finding_it_is_said(finding, doubt: str) -> None:
    assert any(doubt in each for each in script_of(*finding).doubts)
    assert script_of(*ALL["rule"]).doubts == ()


@pytest.mark.parametrize("home", ["/opt/spark", '/opt/it\'s my \\N """ spark'])
def test_a_script_says_how_it_is_run_on_the_spark_that_showed_it(home: str) -> None:
    found_here, rules = found("rule", "on", [EXCLUDED], **RULE_LEGS)
    elsewhere = replace(found_here, subject=Subject(spark_home=home))
    told = {name: module_of(text_of((each, rules)))["__doc__"] for name, each in (("", found_here), (home, elsewhere))}
    assert "    pip install pyspark==4.3.0 duckdb==2.0.0\n    python " in told[""]
    assert (
        f"    pip install duckdb==2.0.0\n    {script_command(f'{elsewhere.fingerprint}.py', failure=elsewhere)}\n"
        in told[home]
    )


@given(st.text() | st.text(alphabet="\"'\\\nab\x00\u2028"))
def test_any_text_can_be_written_down(text: str) -> None:
    assert ast.literal_eval(literal(text)) == text


def test_a_limit_is_settled_on_duckdb_too() -> None:
    rows = LIMITED["on_duckdb"]().rows
    assert isinstance(ALL["a limit without an order"][0].case.query, AnyLimit)
    assert rows == LIMITED["on_duckdb"](LIMITED["DUCKDB_EVERYTHING"]).rows
