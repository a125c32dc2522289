"""The class loader that remembers absent classes: it has all that its parent has, and nothing that appears below it."""

from __future__ import annotations

import pytest
from py4j.protocol import Py4JJavaError

from oracles.checks.choices import all_that_changed
from strategies.ir import INT, Case, Col, Column, Compare, Database, Filter, Lit, Scan, Settings, Table

T0 = Table("t0", (Column("a", INT),), ((1,), (2,)))
CASE = Case(
    Filter(Scan("t0", T0.columns), Compare("<", Col("a", INT), Lit(INT, 41))), Database((T0,)), Settings(codegen=True)
)
ABSENT = "org.apache.spark.sql.catalyst.expressions.value_1"


@pytest.fixture
def jvm(harness):
    return harness.spark.session._jvm


@pytest.fixture
def loader(jvm):
    parent = jvm.java.lang.ClassLoader.getSystemClassLoader()
    return jvm.org.apache.spark.sql.assay.AbsentClasses(parent)


@pytest.mark.parametrize("name", ["java.lang.String", "org.apache.spark.sql.Row", "[Ljava.lang.String;"])
def test_what_there_is_is_found_each_time(jvm, loader, name):
    found = [jvm.java.lang.Class.forName(name, False, loader).getName() for _ in range(2)]
    assert found == [name, name]


def test_what_is_absent_is_told_each_time(loader):
    for _ in range(2):
        with pytest.raises(Py4JJavaError, match=ABSENT):
            loader.loadClass(ABSENT)


def test_the_loaders_below_have_classes_of_their_own(jvm, harness):
    """As a jar that is added to a running session: its name was asked for before."""
    name = "org.apache.spark.sql.assay.AbsentClasses"
    parent = jvm.org.apache.spark.sql.assay.AbsentClasses(jvm.java.lang.ClassLoader.getPlatformClassLoader())
    urls = harness.spark.session.sparkContext._gateway.new_array(jvm.java.net.URL, 1)
    urls[0] = jvm.java.lang.Class.forName(name).getProtectionDomain().getCodeSource().getLocation()
    with pytest.raises(Py4JJavaError, match="ClassNotFoundException"):
        parent.loadClass(name)
    below = jvm.java.net.URLClassLoader(urls, parent)
    assert jvm.java.lang.Class.forName(name, False, below).getClassLoader().equals(below)


def test_the_session_has_such_a_loader(jvm):
    assert jvm.java.lang.Thread.currentThread().getContextClassLoader().getClass().getSimpleName() == "AbsentClasses"


def test_generated_code_asks_for_absent_classes(jvm, harness, loader):
    thread = jvm.java.lang.Thread.currentThread()
    before = thread.getContextClassLoader()
    thread.setContextClassLoader(loader)
    try:
        assert harness.check(CASE, all_that_changed).has_rows
    finally:
        thread.setContextClassLoader(before)
    assert loader.remembered() > 0
