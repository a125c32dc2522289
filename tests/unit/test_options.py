"""The command line: what every spelling of ``--rule`` asks for, and one line for what can't be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assay.session.ending import BadInput
from assay.session.options import (
    Options,
    RuleRequest,
    options_from_plain,
    options_to_plain,
    parse_rule,
    parse_seed,
)
from oracles.failures.caller import caller_folder
from oracles.rules.points import DEFAULT_POINT, Point
from tests.unit.command_lines import shared

ONE = """package com.acme
package rules

/** object Commented extends Rule[LogicalPlan] */
case class Settings(size: Int)

object Mine extends Rule[LogicalPlan] with PredicateHelper {
  object Inner { }
}
"""
TWO = ONE + "\ncase class Yours(conf: SQLConf)\n  extends Rule[LogicalPlan] {}\n"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with rules in it."""
    (tmp_path / "One.scala").write_text(ONE, encoding="utf-8")
    (tmp_path / "Two.scala").write_text(TWO, encoding="utf-8")
    (tmp_path / "None.scala").write_text("package com.acme\n\nobject Mine { }\n", encoding="utf-8")
    (tmp_path / "Bare.scala").write_text("class Bare extends Rule[LogicalPlan]\n", encoding="utf-8")
    (tmp_path / "Private.scala").write_text(
        "private[acme] final class Hidden extends Rule [LogicalPlan]\n", encoding="utf-8"
    )
    (tmp_path / "Latin.scala").write_bytes(b"// \xe9\n")
    (tmp_path / "me@work").mkdir()
    (tmp_path / "me@work" / "One.scala").write_text(ONE, encoding="utf-8")
    (tmp_path / "rules.jar").touch()
    (tmp_path / "spark").mkdir()
    return tmp_path


def options(here: Path, *arguments: str) -> Options:
    """The options that a command line asks for."""
    return shared(*arguments, here=here)


NAMES: dict[str, RuleRequest] = {
    "EliminateOuterJoin": RuleRequest(text="EliminateOuterJoin", name="EliminateOuterJoin"),
    "Optimizer$FinishAnalysis": RuleRequest(text="Optimizer$FinishAnalysis", name="Optimizer$FinishAnalysis"),
    "com.acme.Mine": RuleRequest(text="com.acme.Mine", name="Mine", class_name="com.acme.Mine"),
    "com.acme.Mine@plan-normalization": RuleRequest(
        text="com.acme.Mine@plan-normalization", name="Mine", class_name="com.acme.Mine", point="plan-normalization"
    ),
    "com.acme.Outer$Mine@optimizer": RuleRequest(
        text="com.acme.Outer$Mine@optimizer", name="Outer$Mine", class_name="com.acme.Outer$Mine"
    ),
}


@pytest.mark.parametrize(("text", "request_"), NAMES.items(), ids=NAMES)
def test_a_rule_is_asked_for_by_its_name_or_its_class(here: Path, text: str, request_: RuleRequest) -> None:
    assert parse_rule(text, here) == request_


@pytest.mark.parametrize("point", [point for point in Point if point.tried])
@pytest.mark.parametrize("text", ["com.acme.Mine", "One.scala", "Two.scala:Yours"])
def test_a_class_and_a_file_go_where_they_are_told(here: Path, text: str, point: str) -> None:
    assert parse_rule(f"{text}@{point}", here).point == point


FILES = {
    "One.scala": ("One.scala", "com.acme.rules.Mine", DEFAULT_POINT),
    "One.scala:Mine": ("One.scala", "com.acme.rules.Mine", DEFAULT_POINT),
    "One.scala:com.acme.rules.Mine": ("One.scala", "com.acme.rules.Mine", DEFAULT_POINT),
    "One.scala@pre-cbo": ("One.scala", "com.acme.rules.Mine", "pre-cbo"),
    "Two.scala:Mine": ("Two.scala", "com.acme.rules.Mine", DEFAULT_POINT),
    "Two.scala:Yours": ("Two.scala", "com.acme.rules.Yours", DEFAULT_POINT),
    "Two.scala:Yours@plan-normalization": ("Two.scala", "com.acme.rules.Yours", "plan-normalization"),
    "Bare.scala": ("Bare.scala", "Bare", DEFAULT_POINT),
    "Private.scala": ("Private.scala", "Hidden", DEFAULT_POINT),
    "me@work/One.scala": ("me@work/One.scala", "com.acme.rules.Mine", DEFAULT_POINT),
    "me@work/One.scala:Mine@pre-cbo": ("me@work/One.scala", "com.acme.rules.Mine", "pre-cbo"),
    "spark/../One.scala": ("spark/../One.scala", "com.acme.rules.Mine", DEFAULT_POINT),
}


@pytest.mark.parametrize(("text", "expected"), FILES.items(), ids=FILES)
def test_a_file_is_asked_for_with_its_only_rule_or_one_of_its_rules(here: Path, text: str, expected) -> None:
    file, class_name, point = expected
    request = parse_rule(text, here)
    assert (request.source, request.class_name, request.point) == (here / file, class_name, point)
    assert request.name == class_name.rsplit(".", 1)[-1]


@pytest.mark.parametrize("text", [*NAMES, *FILES])
def test_a_requests_text_asks_for_the_same_from_any_folder(here: Path, text: str) -> None:
    request = parse_rule(text, here)
    assert parse_rule(request.text, Path("/elsewhere")) == request


@pytest.mark.parametrize("arguments", [["One.scala"], ["{here}/One.scala"]], ids=["relative", "absolute"])
def test_a_file_is_found_from_the_callers_folder(here: Path, arguments: list[str]) -> None:
    assert parse_rule(arguments[0].format(here=here), here).source == here / "One.scala"


BAD_RULES = {
    "EliminateOuterJoin@optimizer": "a point goes with a class or a file",
    "com.acme.Mine@optimiser": "no injection point 'optimiser'; there are resolution, ",
    "com.acme.Mine@": "no injection point ''",
    "": "needs a rule",
    "One.scala@nowhere": "no injection point 'nowhere'",
    "Missing.scala": "no such file: ",
    "spark/Missing.scala:Mine": "no such file: ",
    "None.scala": "needs one rule, has none (object or class X extends Rule[...], ",
    "Two.scala": "needs one rule, has Mine, Yours: name one as Two.scala:Class",
    "One.scala:Other": "no rule Other; it has Mine",
    "One.scala:Settings": "no rule Settings; it has Mine",
    "None.scala:Mine": "no rule Mine; it has none",
    "Latin.scala": "UTF-8",
    "com.acme.Mine@check": "a check changes no plan, so there is no answer to compare",
}


@pytest.mark.parametrize(("text", "reason"), BAD_RULES.items(), ids=lambda each: each or "nothing")
def test_a_rule_that_can_not_be_had_is_refused_in_one_line(here: Path, text: str, reason: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_rule(text, here)
    assert reason in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


def test_a_command_line_without_options_asks_for_the_defaults(here: Path) -> None:
    assert options(here) == Options(
        seed=7,
        max_examples=50,
        rules=(),
        rule_jars=(),
        extensions=(),
        off=None,
        spark_conf={},
        spark_master="local[1]",
        spark_home=None,
        failures=here / "failures",
        summary_json=None,
        by="both",
    )


def test_every_option_is_taken(here: Path) -> None:
    asked = options(
        here,
        *("--max-examples", "1000", "--rule", "A", "--rule", "One.scala@pre-cbo", "--rule-jar", "rules.jar"),
        *("--extensions", "com.acme.E", "--extensions", "com.acme.F", "--off", "subset", "--by", "shape"),
        *("--spark-conf", "spark.a=1", "--spark-conf", "spark.b=x=y, z", "--spark-conf", " spark.c = "),
        *("--spark-master", "local[2]", "--spark-home", "spark", "--failures", "out", "--summary-json", "s.json"),
        *("--record", "kept"),
    )
    assert asked == Options(
        seed=7,
        max_examples=1000,
        rules=(parse_rule("A", here), parse_rule("One.scala@pre-cbo", here)),
        rule_jars=(here / "rules.jar",),
        extensions=("com.acme.E", "com.acme.F"),
        off="subset",
        spark_conf={"spark.a": "1", "spark.b": "x=y, z", "spark.c": " "},
        spark_master="local[2]",
        spark_home=here / "spark",
        failures=here / "out",
        summary_json=here / "s.json",
        by="shape",
        record=here / "kept",
    )


def test_options_reach_another_process_as_they_are(here: Path) -> None:
    given = options(
        here, "--rule", "One.scala@pre-cbo", "--rule-jar", "rules.jar", "--spark-home", "spark", "--spark-conf", "a=b"
    )
    assert options_from_plain(json.loads(json.dumps(options_to_plain(given)))) == given
    assert options_from_plain(json.loads(json.dumps(options_to_plain(options(here))))) == options(here)


@pytest.mark.parametrize("option", ["--failures", "--summary-json", "--record"])
def test_nothing_is_left_where_a_path_is_tried(here: Path, option: str) -> None:
    before = sorted(here.iterdir())
    options(here, option, "deep/down")
    assert sorted(here.iterdir()) == before


@pytest.mark.parametrize("option", ["--failures", "--summary-json", "--rule-jar", "--spark-home"])
def test_an_absolute_path_stays_as_it_is(here: Path, option: str) -> None:
    known = {"--rule-jar": here / "rules.jar", "--spark-home": here / "spark"}
    path = known.get(option, here / "anything")
    asked = options(Path("/elsewhere"), option, str(path))
    assert path in (asked.failures, asked.summary_json, asked.spark_home, *asked.rule_jars)


BAD_OPTIONS: dict[str, tuple[tuple[str, str], str]] = {
    "no examples": (("--max-examples", "0"), "--max-examples 0: needs a whole number above 0"),
    "no databases": (("--databases", "0"), "--databases 0: needs a whole number above 0"),
    "databases in words": (("--databases", "many"), "--databases many: needs a whole number above 0"),
    "examples in words": (("--max-examples", "abc"), "--max-examples abc: needs a whole number"),
    "fewer than no examples": (("--max-examples=-5", "--off=all"), "--max-examples -5: needs a whole number"),
    "half an example": (("--max-examples", "1.5"), "--max-examples 1.5: needs a whole number"),
    "examples not said": (("--max-examples", ""), "--max-examples : needs a whole number"),
    "an odd digit": (("--max-examples", "²"), "--max-examples ²: needs a whole number"),
    "a setting without a value": (("--spark-conf", "spark.a"), "--spark-conf spark.a: needs key=value"),
    "a setting without a key": (("--spark-conf", "=1"), "--spark-conf =1: needs key=value"),
    "a setting with a blank key": (("--spark-conf", " =1"), "--spark-conf  =1: needs key=value"),
    "no setting": (("--spark-conf", ""), "--spark-conf : needs key=value"),
    "a jar that isn't there": (("--rule-jar", "other.jar"), "--rule-jar: no such file: "),
    "a jar that is a folder": (("--rule-jar", "spark"), "--rule-jar: no such file: "),
    "a Spark that isn't there": (("--spark-home", "nowhere"), "--spark-home: no such "),
    "a Spark that is a file": (("--spark-home", "rules.jar"), "--spark-home: no such "),
    "another kind of cluster": (
        ("--spark-master", "yarn"),
        "--spark-master yarn: needs local, local[n], ",
    ),
    "a master without a port": (
        ("--spark-master", "spark://host"),
        "--spark-master spark://host: host is no ",
    ),
    "failures in a file": (("--failures", "rules.jar"), "--failures: {here}/rules.jar is no folder"),
    "failures below a file": (("--failures", "rules.jar/a/b"), "--failures: {here}/rules.jar is no folder"),
    "a record in a file": (("--record", "rules.jar"), "--record: {here}/rules.jar is no folder"),
    "figures in a folder": (("--summary-json", "spark"), "--summary-json: {here}/spark is a folder"),
    "figures below a file": (("--summary-json", "rules.jar/s.json"), "--summary-json: {here}/rules.jar is no folder"),
    "figures where nobody can write": (
        ("--summary-json", "/proc/nope/s.json"),
        "--summary-json /proc/nope/s.json: can't be written: No such file or directory",
    ),
    "failures where nobody can write": (
        ("--failures", "/proc/nope"),
        "--failures /proc/nope: can't be written: No such file or directory",
    ),
    "a record where nobody can write": (("--record", "/proc"), "--record /proc: can't be written: "),
    "no extensions": (("--extensions", ""), "--extensions : needs the name of a class"),
    "two extensions in one": (("--extensions", "a.B,a.C"), "--extensions a.B,a.C: needs the name of a class"),
    "a class without a name": (("--rule", "a.b."), "--rule a.b.: 'a.b.' names no class"),
    "a file's class without a name": (("--rule", "One.scala:"), "--rule One.scala:: 'One.scala:' names no class"),
    "a point alone": (("--rule", "@optimizer"), "--rule "),
    "two words": (("--rule", "Mine Other"), "--rule Mine Other: 'Mine Other' names no class, no rule and no file"),
    "a file of another kind": (("--rule", "spark/Mine.java"), "--rule spark/Mine.java: 'spark/Mine.java' names no"),
    "a rule": (("--rule", "a.b.C@x"), "--rule a.b.C@x: no injection point 'x'"),
}


@pytest.mark.parametrize(("arguments", "reason"), BAD_OPTIONS.values(), ids=BAD_OPTIONS)
def test_an_option_that_can_not_be_is_refused_in_one_line(here: Path, arguments, reason: str) -> None:
    with pytest.raises(BadInput) as refused:
        options(here, *arguments)
    assert str(refused.value).startswith(reason.format(here=here))
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "seed"), [("0", 0), ("1", 1), ("-7", -7), ("340282366920938463463", 340282366920938463463)]
)
def test_a_seed_is_any_whole_number(text: str, seed: int) -> None:
    assert parse_seed(text) == seed


@pytest.mark.parametrize("text", ["", "abc", "1.5", "random"])
def test_another_seed_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadInput, match=f"^--hypothesis-seed {text}: needs a whole number$"):
        parse_seed(text)


def test_outside_of_tox_the_callers_folder_is_this_process_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOX_ENV_NAME", raising=False)
    monkeypatch.setenv("PWD", "/")
    monkeypatch.chdir(tmp_path)
    assert caller_folder() == tmp_path.resolve()


def test_under_tox_the_callers_folder_is_not_where_tox_put_us(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that started this one stands for tox: it stays where it was."""
    started_in = caller_folder()
    monkeypatch.setenv("TOX_ENV_NAME", "fuzz")
    monkeypatch.setenv("PWD", str(started_in))
    monkeypatch.chdir(tmp_path)
    assert caller_folder() != tmp_path.resolve()
    assert caller_folder().is_dir()


def test_the_default_point_is_open() -> None:
    assert DEFAULT_POINT.tried
