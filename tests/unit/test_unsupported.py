"""Older releases of Spark aren't asked about some features: the list is by release, and a later one is asked all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from oracles.patterns.unsupported import UNSUPPORTED, NoneSupported, lacking, supported_on
from oracles.rules.entries.unreached import RELEASES, UNREACHED
from oracles.rules.releases import is_among
from strategies.ir import (
    DATE,
    INT,
    INTERVAL,
    STRING,
    TIME,
    Agg,
    Aggregate,
    Alias,
    Array,
    Call,
    Case,
    Collate,
    Collated,
    Column,
    Compare,
    CompareOp,
    Delete,
    Exists,
    Expr,
    Filter,
    IsNull,
    Item,
    Join,
    Lateral,
    Lit,
    MakeMap,
    MapRead,
    Not,
    OneRow,
    Or,
    Outer,
    Over,
    Project,
    Relation,
    Scan,
    SetOp,
    Settings,
    SqlType,
    Window,
)
from tests.unit.ir_samples import ONE, RELATIONS, T0, T1, YES, A, B, case_over
from tests.unit.strategy_asserts import assert_all_examples

DAY = Lit(DATE, "2024-02-29")
SAME_B = Filter(T1, Compare("=", B, Outer("b", STRING, "o")))


def lateral(inside: Relation) -> Relation:
    return Lateral(Alias(T0, "o"), Alias(inside, "r"), "cross")


def counted(op: CompareOp) -> Relation:
    rows = Filter(T1, Compare(op, B, Outer("b", STRING, "o")))
    return Filter(Alias(T0, "o"), Exists(Aggregate(rows, (), (Item("n", Agg("count")),))))


def met(condition: Expr) -> Relation:
    return Join(Alias(T0, "o"), Alias(T1, "r"), "left", condition)


OF_SAME = Filter(T1, Or(Compare("=", B, Outer("b", STRING, "o")), IsNull(B)))
KEYED = MakeMap((ONE,), (A,))
RANKED = Filter(Window(T0, (Over("n", Agg("count")),)), YES)
OF_MAP = Alias(Project(T0, (Item("a", A), Item("m", KEYED))), "o")


def in_orc(kind: SqlType) -> Case:
    """A case over a column of ``kind`` in an ORC file."""
    return replace(case_over(Scan("t0", (Column("a", kind),))), settings=Settings("orc"))


# Of each feature a case that asks for it, and one that comes near.
ASKED: dict[str, tuple[Relation | Case, Relation | Case]] = {
    "VARIANT": (replace(case_over(T0), settings=Settings("variant")), T0),
    "TIME": (Project(T0, (Item("x", Lit(TIME, 0)),)), Project(T0, (Item("x", Lit(INTERVAL, 0)),))),
    "TIME in ORC and CSV files": (in_orc(Array(TIME)), in_orc(INTERVAL)),
    "statements that change a table": (Delete(T0), T0),
    "typed Datasets": (RELATIONS["typed-count"], RELATIONS["aggregate"]),
    "table functions in Python": (RELATIONS["generate-in-python"], RELATIONS["generate"]),
    "dayname() and monthname()": (
        Project(T0, (Item("x", Call("day_name", (DAY,))),)),
        Project(T0, (Item("x", Call("day", (DAY,))),)),
    ),
    "collations": (
        Filter(T0, IsNull(Collate(B, "UTF8_LCASE"))),
        Filter(T0, IsNull(Lit(Collated("UTF8_LCASE"), "a"))),
    ),
    "collations that trim": (
        Filter(T0, IsNull(Collate(B, "UTF8_BINARY_RTRIM"))),
        Filter(T0, IsNull(Lit(Collated("UTF8_BINARY_RTRIM"), "a"))),
    ),
    "pipes": (
        replace(case_over(T0), settings=Settings(clauses="piped")),
        replace(case_over(T0), settings=Settings(clauses="piped", form="dataframe")),
    ),
    "QUALIFY": (replace(case_over(RANKED), settings=Settings(clauses="merged")), RANKED),
    "listagg()": (RELATIONS["aggregates-of-many-kinds"], RELATIONS["aggregate"]),
    "mode() of one answer": (Aggregate(T0, (), (Item("m", Agg("mode", B)),)), RELATIONS["aggregate"]),
    "recursive common table expressions": (RELATIONS["recursive"], RELATIONS["with-once"]),
    "LIMIT over what is correlated": (RELATIONS["lateral-left"], RELATIONS["limit"]),
    "RANGE of days over dates": (RELATIONS["window-of-days"], RELATIONS["window-of-a-range"]),
    "an aggregate in EXISTS or IN, correlated by more than equality": (counted(">"), counted("=")),
    "EXCEPT and INTERSECT of what is correlated": (
        lateral(SetOp("intersect", SAME_B, T1)),
        lateral(SetOp("union", SAME_B, T1)),
    ),
    "UNION of what is correlated in EXISTS or IN": (
        Filter(Alias(T0, "o"), Exists(SetOp("union", SAME_B, T1, all=True))),
        lateral(SetOp("union", SAME_B, T1)),
    ),
    "EXISTS and IN, correlated, in ON (SPARK-45009)": (met(Not(Exists(SAME_B))), met(Exists(T1))),
    "a map of the query around a subquery": (
        Filter(OF_MAP, Exists(Filter(T1, Compare("=", A, MapRead(Outer("m", KEYED.type, "o"), ONE))))),
        Filter(OF_MAP, Exists(Filter(T1, Compare("=", MapRead(KEYED, ONE), Outer("a", INT, "o"))))),
    ),
    "an outer column in a SELECT without FROM, in EXISTS or IN": (
        Filter(Alias(T0, "o"), Exists(OneRow((Item("x", Outer("b", STRING, "o")),)))),
        lateral(OneRow((Item("x", Outer("b", STRING, "o")),))),
    ),
    "FILTER of an aggregate in a window": (RELATIONS["window-of-peers"], RELATIONS["window"]),
}


def asked(what: Relation | Case) -> Case:
    """A case, or one over a query."""
    return what if isinstance(what, Case) else case_over(what)


ENTRIES = pytest.mark.parametrize("entry", UNSUPPORTED, ids=[entry.what for entry in UNSUPPORTED])


@ENTRIES
def test_an_entry_tells_what_asks_for_it_from_what_comes_near(entry) -> None:
    asks, near = map(asked, ASKED[entry.what])
    assert (entry.asked_by(asks), entry.asked_by(near)) == (True, False)


def test_an_equality_that_need_not_hold_correlates_by_more_than_equality() -> None:
    (entry,) = (
        entry for entry in UNSUPPORTED if entry.what == "an aggregate in EXISTS or IN, correlated by more than equality"
    )
    rows = Aggregate(OF_SAME, (), (Item("n", Agg("count")),))
    assert entry.asked_by(case_over(Filter(Alias(T0, "o"), Exists(rows))))


@pytest.mark.parametrize(
    ("spark", "count"), [("3.5.0", 23), ("4.0.0", 8), ("4.1.4", 6), ("4.2.0", 3), ("4.3.0", 0), ("4.4.0.dev1", 0)]
)
def test_a_release_lacks_what_came_after_it(spark: str, count: int) -> None:
    assert len(lacking(spark)) == count


@ENTRIES
def test_what_a_release_lacks_is_not_asked_of_it(entry) -> None:
    asks, near = map(asked, ASKED[entry.what])
    written = (
        {near, replace(asks, settings=replace(asks.settings, clauses="merged"))} if entry.what == "pipes" else {near}
    )
    assert_all_examples(supported_on("3.5.0", st.sampled_from([asks, near])), lambda case: case in written, count=6)


@pytest.mark.parametrize(("spark", "clauses"), [("3.5.0", "merged"), ("4.0.0", "piped")])
def test_a_query_in_pipes_is_asked_in_other_words_where_there_are_none(spark: str, clauses: str) -> None:
    piped, _ = ASKED["pipes"]
    assert_all_examples(
        supported_on(spark, st.just(piped)),
        lambda case: case == replace(piped, settings=replace(piped.settings, clauses=clauses)),
        count=1,
    )


def test_times_in_parquet_are_asked_of_releases_that_have_them() -> None:
    (entry,) = (entry for entry in UNSUPPORTED if entry.what == "TIME in ORC and CSV files")
    assert not entry.asked_by(replace(in_orc(TIME), settings=Settings("parquet")))


def test_a_partition_asks_as_well_as_a_query() -> None:
    by_name = Compare("=", Call("day_name", (DAY,)), B)
    cases = st.sampled_from([replace(case_over(T0), partition=by_name), replace(case_over(T0), partition=IsNull(B))])
    assert_all_examples(supported_on("3.5.0", cases), lambda case: case.partition == IsNull(B), count=6)


def _drawn(asked: Sequence[Case], *, give_up: int) -> list[Case]:
    """The cases that a release without TIME is asked of these, drawn in turn."""
    turns, found = cycle(asked), []

    @settings(max_examples=20, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(supported_on("4.0.0", st.integers().map(lambda _: next(turns)), give_up=give_up))
    def collect(case: Case) -> None:
        found.append(case)

    collect()
    return found


def test_drawing_is_given_up_where_a_release_supports_none_of_the_first_draws() -> None:
    refused, accepted = in_orc(TIME), case_over(T0)
    with pytest.raises(NoneSupported):
        _drawn([*[refused] * 10, accepted], give_up=10)
    assert accepted in _drawn([*[refused] * 9, accepted], give_up=10)
    assert accepted in _drawn([accepted, *[refused] * 12], give_up=10)


def test_a_release_that_lacks_nothing_is_asked_the_very_same() -> None:
    drawn = st.just(case_over(T0))
    assert supported_on("4.3.0", drawn) is drawn


def test_rules_that_not_every_release_has_are_among_those_out_of_reach() -> None:
    assert RELEASES.keys() <= UNREACHED.keys()


@pytest.mark.parametrize(
    ("release", "releases", "inside"),
    [
        ("4.3.0", ">=3.5", True),
        ("3.4.2", ">=3.5", False),
        ("4.4.0-SNAPSHOT", ">=4.4", True),
        ("4.1.0.dev2", "<4.1", False),
        ("a build", ">=3.5", False),
        ("4.3.0", "", False),
    ],
)
def test_releases_are_read_as_version_specifiers(release: str, releases: str, inside: bool) -> None:
    assert is_among(release, releases) == inside
