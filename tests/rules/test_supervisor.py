"""Supervision of a real session whose JVM dies, or can no longer be talked to, while it is asked."""

from __future__ import annotations

import os
import signal
import socket

import pytest

from assay.fuzz.isolated_rerun import run_alone
from assay.fuzz.supervisor import supervisor_of
from assay.session.own_rule import AS_WRITTEN, own_rule
from oracles.checks.choices import all_that_changed
from oracles.checks.result import LegSettings
from strategies.ir import INT, Case, Col, Column, Compare, Database, Filter, Lit, Scan, SetOp, Table

T0 = Table("t0", (Column("a", INT),), ((1,), (2,)))
CASE = Case(Filter(Scan("t0", T0.columns), Compare("=", Col("a", INT), Lit(INT, 1))), Database((T0,)))


def killed(spark):
    os.kill(spark.pid, signal.SIGKILL)


def cut_off(spark):
    """The connection is gone, and there is no other; the JVM itself lives on."""
    client = spark.session.sparkContext._gateway._gateway_client
    client.get_thread_connection().socket.shutdown(socket.SHUT_RDWR)
    client.java_parameters.port = 1


DIED = "the JVM died with code -9 (SIGKILL)"
LOSSES = {
    "killed": (killed, DIED),
    "cut off": pytest.param(cut_off, "the JVM was cut off", marks=pytest.mark.slow),
}


@pytest.fixture
def told():
    return []


@pytest.fixture
def guard(harness, tmp_path, told):
    def tell(kind, line, **facts):
        told.append((kind, line, facts))

    return supervisor_of(harness, (), LegSettings(), case_file=tmp_path / "main.case.json", tell=tell)


def hurt_once(harness, hurt):
    """A check before which the JVM is hurt, the first time that it is made."""
    hurts = [hurt]

    def check():
        if hurts:
            _ = harness.spark.session
            hurts.pop()(harness.spark)
        return harness.check(CASE, all_that_changed)

    return check


@pytest.mark.parametrize(("hurt", "line"), LOSSES.values(), ids=LOSSES)
def test_the_case_is_checked_all_the_same(harness, guard, told, hurt, line):
    checked = guard.check(CASE, hurt_once(harness, hurt))
    assert checked is not None
    assert checked.verdict.name == "agree"
    ((kind, said, facts),) = told
    assert (kind, said.startswith(line), said.endswith("it did not")) == ("jvm", True, True)
    assert (facts["repeated"], facts["last_words"]["pid"] is not None) == (False, True)


@pytest.mark.slow
def test_a_closer_look_is_taken_once_more(harness, guard, told):
    seen = guard.attempt(CASE, hurt_once(harness, killed), None)
    assert seen is not None
    assert seen.verdict.name == "agree"
    assert [(kind, said.startswith(DIED)) for kind, said, _ in told] == [("jvm", True)]


@pytest.mark.slow
def test_where_the_jvm_is_lost_every_time_nothing_is_known(harness, guard, told):
    def check():
        _ = harness.spark.session
        killed(harness.spark)
        return harness.check(CASE, all_that_changed)

    before = guard.attempt(CASE, check, None)
    assert before is None
    assert [kind for kind, _, _ in told] == ["jvm", "jvm"]
    checked = guard.check(CASE, check)
    assert checked is not None
    assert (checked.verdict.name, checked.case) == ("inconclusive", CASE)
    assert [kind for kind, _, _ in told] == ["jvm"] * 4


RULE = "ReplaceExceptWithNotFilter" + AS_WRITTEN


@pytest.mark.parametrize(
    ("row", "end"),
    [
        pytest.param((None,), ("finding", "rule", "on"), id="wrong"),
        pytest.param((3,), ("inconclusive", None, None), id="right", marks=pytest.mark.slow),
    ],
)
def test_what_the_legs_answer_when_they_are_run_alone_is_judged(harness, row, end):
    """A rule may be slow and wrong: that it is in time, alone, says nothing of its answer."""
    scan, tables = Scan("t0", T0.columns), Database((Table("t0", T0.columns, ((1,), row)),))
    case = Case(SetOp("except", scan, Filter(scan, Compare("=", Col("a", INT), Lit(INT, 1)))), tables)
    rule, limit = harness.catalogue.rule(RULE), harness.spark.time_limit
    verdict = run_alone(harness, case, [rule], own_rule(RULE).settings({}), limit=limit).verdict
    assert (verdict.name, verdict.kind, verdict.blame) == end
