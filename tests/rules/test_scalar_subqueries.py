"""Scalar subqueries of one group: GROUP BY a column that equals one of the query around."""

from __future__ import annotations

import pytest

from oracles.checks.check import Harness
from oracles.checks.choices import fixed
from oracles.triage.attribution import excused_by
from oracles.triage.divergences import load
from strategies.ir import (
    BIGINT,
    INT,
    STRING,
    Agg,
    Aggregate,
    Alias,
    And,
    Case,
    Coalesce,
    Col,
    Compare,
    Expr,
    Filter,
    IsNull,
    Item,
    Lit,
    Outer,
    Project,
    Relation,
    ScalarSubquery,
    Settings,
)
from tests.unit.sample_tables import DATABASE, T0, T1, A, B

_OUTSIDE, _SAME = Alias(T0, "o"), Compare("=", A, Outer("a", INT, "o"))
_SAME_TEXT = Compare("=", B, Outer("b", STRING, "o"))
N = Col("n", BIGINT)


def _value(condition: Expr, *keys: Expr, having: Expr | None = None) -> ScalarSubquery:
    items = tuple(Item(f"k{place}", key) for place, key in enumerate(keys))
    groups = Aggregate(Filter(T1, condition), items, (Item("n", Agg("count")),), having)
    return ScalarSubquery(Project(groups, (Item("n", N),)))


VALUES: dict[str, Expr] = {
    "a count": _value(_SAME, A),
    "a count that is never NULL": Coalesce((_value(_SAME, A), Lit(BIGINT, 7))),
    "beside another condition": _value(And(_SAME, IsNull(B, negated=True)), A),
    "by two columns": _value(And(_SAME, _SAME_TEXT), A, B),
    "by one of two columns": _value(And(_SAME, _SAME_TEXT), B),
    "with HAVING": _value(_SAME, A, having=Compare(">", N, Lit(BIGINT, 1))),
}
QUERIES: dict[str, Relation] = {
    **{
        f"{name} in the list": Project(_OUTSIDE, (Item("a", Col("a", INT, "o")), Item("x", value)))
        for name, value in VALUES.items()
    },
    **{f"{name} in a filter": Filter(_OUTSIDE, Compare("<>", value, Lit(BIGINT, 2))) for name, value in VALUES.items()},
}


@pytest.mark.parametrize("clauses", ["nested", "merged"])
@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_the_value_of_one_group_is_null_where_the_group_has_no_rows(
    harness: Harness, query: Relation, clauses: str
) -> None:
    settings = Settings(clauses="merged") if clauses == "merged" else Settings()
    checked = harness.check(Case(query, DATABASE, settings), fixed([harness.catalogue.rule("CollapseProject")]))
    assert checked.verdict.name in {"agree", "vacuous"}, checked.verdict.reason
    assert "RewriteCorrelatedScalarSubquery" in {name.rpartition(".")[2] for name in checked.changed_plan}


def test_without_the_rules_that_mend_it_a_filter_reads_a_missing_count_as_0(harness: Harness) -> None:
    names = ("UpdateAttributeNullability", "PushDownPredicates", "ColumnPruning")
    off = fixed([harness.catalogue.rule(name) for name in names])
    checked = harness.check(Case(QUERIES["a count in a filter"], DATABASE), off)
    assert (checked.verdict.name, checked.verdict.blame) == ("finding", "off")
    entry = excused_by(harness, checked, names, load())
    assert entry is not None
    assert entry.id == "filter-by-a-scalar-subquery-of-what-is-never-null"
