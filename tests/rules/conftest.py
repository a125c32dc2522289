"""One session for the tests of rules: it has loaded the example rules, the sound ones and the tests' own, all off."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest
from py4j.protocol import Py4JError
from pyspark.sql import SparkSession

from assay.session.own_rule import OWN
from assay.session.session import prepare
from jars.build import TARGET, build_examples, build_sound, compile_rule
from oracles.engines.spark.java import find_java
from tests.rules.normalized_forms import FOR_MANY_ROWS, FORMS
from tests.rules.sound_sources import load_sound
from tests.rules.unsupported_tests import is_one_of, load_unsupported, unsupported_on


@pytest.fixture(scope="session")
def harness(run):
    """The engines of this worker; started when first used. A session of one's own costs more than all tests in it."""
    setup, java = prepare(run.options, run.mutants), find_java().java
    here = Path(__file__)
    sources = (here.with_name("NormalizedForms.scala"), here.with_name("AtMostThreeThousand.scala"))
    jars = (build_examples(java), build_sound(java), *(compile_rule(source, TARGET, java=java) for source in sources))
    rules = (*(rule.injected() for rule in (*OWN, *load_sound())), *FORMS, FOR_MANY_ROWS)
    spark = replace(setup.spark, jars=(*setup.spark.jars, *jars), injected=(*setup.spark.injected, *rules))
    run.setup = replace(setup, spark=spark)
    with run.setup.harness() as engines:
        yield engines


@pytest.fixture(scope="module", autouse=True)
def nothing_left():
    """A module's tables and views end with it: the next one's tables may have their names."""
    yield
    try:
        if session := SparkSession.getActiveSession():
            for table in session.sql("SHOW TABLES").collect():
                session.sql(f"DROP {'VIEW' if table.isTemporary else 'TABLE'} `{table.tableName}`")
    except (Py4JError, ConnectionError):
        pass  # a module that has lost its JVM leaves nothing


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """A test of something that the running release does not support is not run; pytest counts it as deselected."""
    patterns = unsupported_on(version("pyspark"), load_unsupported())
    here = Path(__file__).parent

    def id_of(item):
        return f"{item.path.relative_to(here)}::{item.nodeid.partition('::')[2]}" if here in item.path.parents else ""

    unsupported = [item for item in items if is_one_of(id_of(item), patterns)]
    if unsupported:
        config.hook.pytest_deselected(items=unsupported)
        items[:] = [item for item in items if item not in unsupported]
