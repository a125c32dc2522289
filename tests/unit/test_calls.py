"""The table of rules that call others says what the running release's byte code says."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from jars.build import find_spark_jars
from oracles.rules.calls import CALLS, callers_of, calls_in
from oracles.rules.entries.known import KNOWN
from oracles.rules.rule import OPTIMIZER
from tests.unit.byte_code import ClassFile, Use, read_jars
from tests.unit.rule_calls import EXECUTOR, OPTIMIZERS, RULE, SQL, Classes

READ = ("spark-catalyst_", "spark-sql_", "spark-sql-api_")
PLAN = "(LPlan;)LPlan;"
APPLY = ("apply", PLAN)


def test_the_table_has_every_call_of_the_running_release_and_no_other() -> None:
    jars = [jar for jar in find_spark_jars().glob("spark-*.jar") if jar.name.startswith(READ)]
    classes = Classes(read_jars(jars, SQL))
    with_a_switch = [rule.rule_name for rule in KNOWN if rule.switch]
    assert len(classes.listed) > 100
    release = version("pyspark")
    assert classes.calls(with_a_switch) == calls_in(release) | calls_in(release, scratch=True)


def call(owner: str, name: str = "apply", descriptor: str = PLAN) -> Use:
    return Use("call", owner, name, descriptor)


def load(owner: str) -> Use:
    return Use("load", owner, "MODULE$", f"L{owner};")


def caller(*uses: Use, beside: tuple[ClassFile, ...] = ()) -> Classes:
    """An optimizer that lists two rules, of which one uses these."""
    rules = [ClassFile("A$", (RULE,), {APPLY: uses}), ClassFile("B$", (RULE,), {APPLY: ()})]
    executor = ClassFile(EXECUTOR, (), {("execute", PLAN): (load("B$"), call("B$"))})
    optimizer = ClassFile(OPTIMIZERS[0], (EXECUTOR,), {("batches", "()LSeq;"): (load("A$"), load("B$"))})
    return Classes({each.name: each for each in (ClassFile(RULE), *rules, executor, optimizer, *beside)})


HELPER = ClassFile("Helper$", (), {("simplify", PLAN): (load("B$"), call("B$"))})
INHERITED = ClassFile("Special$", ("Helper$",))
FUNCTION = ClassFile("A$$anonfun$apply$1", (), {("applyOrElse", PLAN): (load("B$"), call("B$"))})
OWN_EXECUTOR = ClassFile("Own$", (EXECUTOR,), {("batches", "()LSeq;"): (load("B$"),)})
OTHER_OPTIMIZER = ClassFile("Other$", (OPTIMIZERS[0],), {("batches", "()LSeq;"): (load("B$"),)})
CALLING = {
    "itself": caller(load("B$"), call("B$")),
    "a part of its work": caller(load("B$"), call("B$", "applyLocally", "()LPartialFunction;")),
    "by a helper": caller(load("Helper$"), call("Helper$", "simplify"), beside=(HELPER,)),
    "by what a helper inherits": caller(call("Special$", "simplify"), beside=(HELPER, INHERITED)),
    "in a function of its own": caller(beside=(FUNCTION,)),
    "in a list of rules": caller(load("B$")),
    "by an executor of its own": caller(load("Own$"), call("Own$", "execute"), beside=(OWN_EXECUTOR,)),
    "as one that it makes": caller(Use("new", "B$")),
}
KEEPING_AWAY = {
    "nothing": caller(),
    "a question": caller(load("B$"), call("B$", "canSimplify", "(LPlan;)Z")),
    "its name": caller(load("B$"), call("B$", "ruleName", "()LString;")),
    "the list of excluded rules": caller(load("B$"), call("Conf", "optimizerExcludedRules"), call("B$")),
    "an optimizer of its own": caller(load("Other$"), call("Other$", "execute"), beside=(OTHER_OPTIMIZER,)),
    "all rules together": caller(call(EXECUTOR, "execute")),
}


@pytest.mark.parametrize("classes", CALLING.values(), ids=CALLING)
def test_a_call_is_seen_however_it_is_made(classes: Classes) -> None:
    assert classes.calls() == {("A", "B")}


@pytest.mark.parametrize("classes", KEEPING_AWAY.values(), ids=KEEPING_AWAY)
def test_what_does_not_do_the_other_rules_work_is_no_call(classes: Classes) -> None:
    assert classes.calls() == set()


@pytest.mark.parametrize(
    ("names", "callers"),
    [(["C"], {"A", "B"}), (["B"], {"A"}), (["A"], set()), (["B", "C"], {"A"}), (["D"], {"D2", "D3"})],
    ids=["of a call's call", "of a call", "of none", "of a rule and its part", "round and round"],
)
def test_whoever_calls_a_caller_does_the_work_too(names: list[str], callers: set[str]) -> None:
    calls = [("A", "B"), ("B", "C"), ("D2", "D"), ("D3", "D2"), ("D2", "D3"), ("X", "Y")]
    assert callers_of(names, calls) == callers


@pytest.mark.parametrize(
    ("caller", "called", "releases"),
    [
        ("LimitPushDown", "EliminateSorts", ["4.0.5", "4.3.0"]),
        ("InjectRuntimeFilter", "RewritePredicateSubquery", ["3.5.9"]),
        ("PullupCorrelatedPredicates", "BooleanSimplification", ["3.5.9", "4.0.5", "4.3.0"]),
    ],
    ids=["since 4.0", "until 3.5", "ever"],
)
def test_a_call_is_that_of_its_releases(caller: str, called: str, releases: list[str]) -> None:
    pair = (OPTIMIZER + caller, OPTIMIZER + called)
    assert [release for release in ("3.5.9", "4.0.5", "4.3.0") if pair in calls_in(release)] == releases


def test_no_call_stands_twice() -> None:
    assert len({(call.caller, call.called, call.releases) for call in CALLS}) == len(CALLS)
