"""One session for the tests of rules: it has loaded the example rules and the tests' own beside, all off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jars.build import TARGET, build_examples, compile_rule
from oracles.engines.java import find_java
from oracles.rules.own import OWN
from oracles.run.session import prepare
from tests.rules.normalized_forms import FOR_MANY_ROWS, FORMS


@pytest.fixture(scope="session")
def laboratory(run):
    """The engines of this worker; started when first used. A session of one's own costs more than all tests in it."""
    setup, java = prepare(run.options, run.mutants), find_java().java
    here = Path(__file__)
    sources = (here.with_name("NormalizedForms.scala"), here.with_name("AtMostThreeThousand.scala"))
    jars = (build_examples(java), *(compile_rule(source, TARGET, java=java) for source in sources))
    rules = (*(own.injected() for own in OWN), *FORMS, FOR_MANY_ROWS)
    spark = replace(setup.spark, jars=(*setup.spark.jars, *jars), injected=(*setup.spark.injected, *rules))
    run.setup = replace(setup, spark=spark)
    with run.setup.laboratory() as engines:
        yield engines
