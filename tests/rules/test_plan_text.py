"""A leg tells its plan, whatever a rule has made of it: else a wrong rule ends as a fault of the check."""

from __future__ import annotations

import re
from typing import Any

import pytest
from pyspark.errors import IllegalArgumentException


@pytest.fixture
def join(harness):
    """An inner join by hash with a broadcast right side, as Java's Spark has it."""
    session = harness.spark.session
    query = "SELECT /*+ BROADCAST(u) */ * FROM range(2) t JOIN range(3) u ON t.id = u.id"
    plan = session.sql(query)._jdf.queryExecution().sparkPlan()
    assert plan.nodeName() == "BroadcastHashJoin"
    return plan


def _of_kind(session: Any, join: Any, kind: str) -> Any:
    """A copy of ``join`` that is a join of the ``kind``."""
    arguments = [join.productElement(place) for place in range(join.productArity())]
    arguments[2] = getattr(getattr(session._jvm.org.apache.spark.sql.catalyst.plans, f"{kind}$"), "MODULE$")
    return join.copy(*arguments)


def _fingerprint(session: Any, plan: Any) -> str:
    return session._jvm.org.apache.spark.sql.assay.PlanText.fingerprint(plan)


def test_an_operator_that_knows_no_columns_is_told_apart(harness, join):
    session = harness.spark.session
    full = _of_kind(session, join, "FullOuter")
    with pytest.raises(IllegalArgumentException, match="HashJoin should not take FullOuter"):
        full.output()
    assert re.fullmatch("[0-9a-f]{16}", _fingerprint(session, full))
    assert len({_fingerprint(session, plan) for plan in (join, full, _of_kind(session, join, "LeftOuter"))}) == 3
