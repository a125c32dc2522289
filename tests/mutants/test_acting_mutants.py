"""The mutants of many rules are tried in one plan; those that fire by themselves are found."""

from __future__ import annotations

import pytest

from assay.fuzz.acting_mutants import TOGETHER, acting_on
from assay.session.mutant_sources import load_mutants
from strategies.ir import (
    INT,
    Agg,
    Aggregate,
    Case,
    Col,
    Column,
    Compare,
    Database,
    Delete,
    Exists,
    Filter,
    InSubquery,
    Item,
    Join,
    Lit,
    Relation,
    Scan,
    SetOp,
    Settings,
    Table,
)

pytestmark = [pytest.mark.assay_run("mutants"), pytest.mark.by("shape")]
COLUMNS = (Column("a", INT),)
DATABASE = Database((Table("t", COLUMNS, ((1,), (1,), (None,))), Table("u", COLUMNS, ((1,), (2,)))))
MUTANTS = load_mutants()
PLACES = range(4)


def _filtered(place: int) -> Relation:
    """A filter of a literal of its own, so that each place has groups of its own."""
    return Filter(Scan("t", COLUMNS), Compare("<", Col("a", INT, "t"), Lit(INT, place)))


def _count(place: int) -> Relation:
    return Aggregate(_filtered(place), (), (Item("n", Agg("count")),))


def _set_operator(place: int) -> Relation:
    return SetOp("except", Scan("t", COLUMNS), _filtered(place), all=True)


def _outer_join(place: int) -> Relation:
    joined = Join(Scan("t", COLUMNS), Scan("u", COLUMNS), "left", Compare("=", Col("a", INT, "t"), Col("a", INT, "u")))
    return Filter(joined, Compare(">", Col("a", INT, "u"), Lit(INT, place)))


def _semi_join(place: int) -> Relation:
    """A semi join that is one only after RewritePredicateSubquery."""
    return Filter(
        Scan("t", COLUMNS),
        InSubquery((Col("a", INT),), Filter(Scan("u", COLUMNS), Compare(">", Col("a", INT), Lit(INT, place)))),
    )


def _delete(place: int) -> Relation:
    """A statement, which is planned by legs of its own."""
    return Delete(Scan("t", COLUMNS), Exists(_filtered(place)))


QUERIES = {
    "a statement": _delete,
    "IN a subquery": _semi_join,
    "a filter and a count": _count,
    "a set operator": _set_operator,
    "an outer join": _outer_join,
}


def _names(harness, query: Relation, together: int) -> set[str]:
    """The mutants that fire on ``query``, those of ``together`` rules tried at once."""
    case = Case(query=query, database=DATABASE, settings=Settings(source="v2") if query.is_statement else Settings())
    with harness.spark.stage(DATABASE, case.settings, fast=True) as stage:
        with stage.leg(query, {}) as analyzed:
            pass
        shared = None if query.is_statement else analyzed
        acting = acting_on(case, MUTANTS, stage, shared, harness, together=together)
    return {mutant.name for mutant in acting}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_those_that_fire_by_themselves_are_found_in_one_of_a_few_groupings(harness, query):
    alone = _names(harness, query(0), 1)
    grouped = [_names(harness, query(place), TOGETHER) for place in PLACES]
    assert alone
    assert set().union(*grouped) == alone
    assert sum(map(len, grouped)) > 0.8 * len(PLACES) * len(alone)


def test_no_mutant_fires_in_a_table_alone(harness):
    assert not _names(harness, Scan("t", COLUMNS), TOGETHER)
