"""Over Connect, plans alone tell which rules act on a query, and some options are refused."""

from __future__ import annotations

import pytest

from assay.commands.cli import main
from oracles.engines.connect import session
from oracles.engines.connect.acting import acting, optimized
from oracles.engines.connect.session import connected
from oracles.engines.spark.start import SparkUnusable
from oracles.rules.plans import renumbered
from oracles.rules.rule import Rule
from oracles.rules.switch import EXCLUDED, ByConf, Excluded, Reference

SIZE = 100
RULES = [Rule(name=f"R{n}", rule_name=f"a.R{n}", batch="", switch=Excluded((f"a.R{n}",))) for n in range(SIZE)]
BY_CONF = Rule(name="ByConf", rule_name="a.ByConf", batch="", switch=ByConf("by.conf", "false"))
BY_OPERATOR = Rule(name="ByOperator", rule_name="a.ByOperator", batch="", switch=Reference(("Except",)))
NEVER_OFF = Rule(name="NeverOff", rule_name="a.NeverOff", batch="", switch=None)


class Server:
    """A query on which ``works`` act: its plan shows which of them are on. It counts how often it is asked."""

    def __init__(self, *works: str) -> None:
        self.works = works
        self.asked = 0

    def plan(self, conf):
        self.asked += 1
        off = {*conf.get(EXCLUDED, "").split(","), *(["a.ByConf"] if conf.get("by.conf") == "false" else [])}
        return f"plan of {[name for name in self.works if name not in off]}"


@pytest.mark.parametrize(
    "works", [(), ("a.R0",), ("a.R99",), ("a.R7", "a.R8"), ("a.R0", "a.R50", "a.R99", "a.ByConf")], ids=len
)
def test_rules_that_act_are_those_without_which_the_plan_is_another(works):
    found = acting([*RULES, BY_CONF, BY_OPERATOR, NEVER_OFF], Server(*works).plan)
    assert {rule.rule_name for rule in found} == {*works}


def test_few_plans_tell_which_of_many_rules_act():
    server = Server("a.R3", "a.R77")
    acting(RULES, server.plan)
    assert server.asked < SIZE / 3


def test_a_rule_that_no_setting_turns_off_is_never_seen_to_act():
    assert acting([BY_OPERATOR, NEVER_OFF], str) == []


def test_of_a_query_without_a_plan_nothing_is_told():
    assert acting(RULES, lambda conf: "") == []


EXPLAINED = """== Parsed Logical Plan ==
'Project [*]
== Analyzed Logical Plan ==
a: int
Project [a#{first}]
== Optimized Logical Plan ==
Join Inner, (a#{first} = b#{second}L)
:- Relation t[a#{first}]
+- Relation u[b#{second}L]
== Physical Plan ==
AdaptiveSparkPlan
"""


def test_plans_are_equal_where_only_numbers_differ():
    one, two = (optimized(EXPLAINED.format(first=first, second=second)) for first, second in ((3, 17), (20, 4)))
    assert one == two
    assert one.startswith("Join Inner, (a#0 = b#1L)")


def test_plans_that_read_another_column_are_not_equal():
    assert renumbered("a#1 = b#2 AND a#1") != renumbered("a#1 = b#2 AND b#2")


def test_without_an_optimized_plan_there_is_no_text():
    assert optimized("== Physical Plan ==\nError") == ""


@pytest.mark.parametrize(
    "url", ["http://host:15002", "host:15002", "sc://", "sc:", "sc://host:port", "sc://host:70000", "sc://host:0"]
)
def test_what_is_no_url_of_a_server_is_refused_in_one_line(url):
    with pytest.raises(SparkUnusable, match=r"needs sc://host:port$"):
        connected(url, {})


def test_what_connect_needs_and_is_not_here_is_said(monkeypatch):
    monkeypatch.setattr(session, "_NEEDED", ("pyarrow", "no_such_module.at_all"))
    with pytest.raises(SparkUnusable, match=r"no_such_module.at_all isn't installed here: tox run -e queries-connect"):
        connected("sc://127.0.0.1:1", {})


def test_where_no_server_answers_is_said(monkeypatch):
    monkeypatch.setattr(session, "_NEEDED", ())
    with pytest.raises(SparkUnusable, match="no server answers"):
        connected("sc://127.0.0.1:1", {})


OURS = {
    "a jar": ("--rule-jar", "my.jar"),
    "an extension": ("--extensions", "com.acme.E"),
    "a file with a rule": ("--rule", "One.scala"),
    "another master": ("--spark-master", "local[2]"),
    "another Spark": ("--spark-home", "."),
}


@pytest.mark.parametrize("options", OURS.values(), ids=OURS)
def test_what_a_server_can_not_be_given_is_refused_in_one_line(tmp_path, monkeypatch, capsys, options):
    (tmp_path / "my.sql").write_text("CREATE TABLE t (a INT)")
    (tmp_path / "q.sql").write_text("SELECT a FROM t")
    (tmp_path / "my.jar").write_text("")
    (tmp_path / "One.scala").write_text("object One extends Rule[LogicalPlan] {}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TOX_ENV_NAME", raising=False)
    assert main(("queries", "--schema", "my.sql", "--queries", "q.sql", "--connect", "sc://127.0.0.1:1", *options)) == 2
    told = capsys.readouterr().err
    assert (len(told.splitlines()), told.startswith(options[0]), "not with --connect" in told) == (1, True, True), told
