"""Windows, grouping sets, pivots and literal rows over bags with NULL, NaN, both zeros, and rows that repeat."""

from __future__ import annotations

from itertools import product

from strategies.ir import (
    BIGINT,
    BINARY,
    DOUBLE,
    INT,
    INTEGERS,
    STRING,
    Agg,
    Arith,
    Between,
    CaseWhen,
    Cast,
    Col,
    Compare,
    Database,
    Expr,
    Frame,
    GroupingId,
    GroupingSets,
    IsNull,
    Item,
    Lit,
    Or,
    Over,
    Peek,
    Pivot,
    PivotValue,
    Project,
    Ranking,
    Relation,
    SetOp,
    Settings,
    SortKey,
    SqlType,
    Value,
    Values,
    ValuesRow,
    When,
    Window,
    can_be_moved,
    is_plain,
    type_text,
)
from tests.rules.semantic_queries import BAGS, PROGRAM, SQL, T0, T1, T2, D, K, S, together
from tests.rules.semantic_samples import HOSTILE_DATABASE, PAIRS, TYPES, X
from tests.unit.literal_samples import LITERALS

_TOTAL = (SortKey(K, True, False), SortKey(D), SortKey(S, False, False))
_BOUNDS = (None, -2, -1, 0, 1, 2)
_PAIRS = [(low, high) for low, high in product(_BOUNDS, _BOUNDS) if low is None or high is None or low <= high]
_ROWS = {f"{low} to {high}": Frame("rows", low, high) for low, high in _PAIRS}
_MOVED_PAIRS = ((None, -1), (None, 1), (-2, -1), (-1, 0), (-1, 1), (1, 2), (1, None))
_MOVED = {f"{low} to {high}": Frame("range", low, high) for low, high in _MOVED_PAIRS}
_PEERS = {f"{low} to {high}": Frame("range", low, high) for low, high in product((None, 0), (None, 0))}
_POSITIVE = Compare(">", K, Lit(INT, 1))


def _framed(function: Agg | Peek, frames: dict[str, Frame]) -> tuple[Over, ...]:
    return tuple(Over(f"{function.function} {name}", function, frame) for name, frame in frames.items())


def _peeks(ignore_nulls: bool) -> tuple[Over, ...]:
    shifts = tuple(
        Over(f"{name} {offset}", Peek(name, K, offset, None if offset < 2 else Lit(INT, 7), ignore_nulls))
        for name, offset in product(("lag", "lead"), (-1, 0, 1, 2))
    )
    places = tuple(Over(f"nth {place}", Peek("nth_value", S, place, None, ignore_nulls)) for place in (1, 2, 9))
    ends = tuple(
        over
        for name in ("first_value", "last_value")
        for over in (
            Over(name, Peek(name, S, None, None, ignore_nulls)),
            *_framed(Peek(name, K, None, None, ignore_nulls), {**_ROWS, **_PEERS}),
        )
    )
    return (*shifts, *places, *{over.name: over for over in ends}.values())


def _windows(relation: Relation) -> dict[str, Relation]:
    aggregates = (Agg("count"), Agg("sum", K), Agg("min", S), Agg("avg", K, where=_POSITIVE))
    return {
        "places": Window(
            relation,
            (
                Over("number", Ranking("row_number")),
                *(Over(f"ntile {buckets}", Ranking("ntile", buckets)) for buckets in (1, 2, 3, 99)),
            ),
            (),
            _TOTAL,
        ),
        "other rows": Window(relation, _peeks(False), (), _TOTAL),
        "other rows that aren't null": Window(relation, _peeks(True), (K,), _TOTAL),
        "ranks": Window(
            relation,
            tuple(Over(name, Ranking(name)) for name in ("rank", "dense_rank", "percent_rank", "cume_dist")),
            (IsNull(S),),
            (SortKey(D, True, True), SortKey(K, False, False)),
        ),
        **{
            f"frames of rows, {function.function}": Window(relation, _framed(function, _ROWS), (S,), _TOTAL)
            for function in aggregates
        },
        "frames of rows, doubles": Window(relation, _framed(Agg("sum", D), _ROWS), (), _TOTAL),
        "frames of peers": Window(relation, _framed(Agg("sum", D), _PEERS), (), (SortKey(K, True, True),)),
        "without an order": Window(
            relation,
            (Over("n", Agg("count", D)), Over("e", Agg("every", IsNull(D), where=IsNull(S, negated=True)))),
            (D,),
        ),
        "by a constant": Window(
            relation,
            (Over("r", Ranking("rank")), Over("n", Agg("count"))),
            (Lit(INT, None),),
            (SortKey(Lit(STRING, "x")),),
        ),
        "by the sums of groups": Window(
            GroupingSets(relation, "rollup", (Item("s", S),), (Item("n", Agg("sum", K)),)),
            (Over("r", Ranking("dense_rank")), Over("m", Agg("max", Col("n", BIGINT)))),
            (),
            (SortKey(Col("n", BIGINT)),),
        ),
    }


def _key(kind: SqlType, nulls_first: bool) -> Expr:
    """An integer has to be far from its type's ends; for doubles see the divergence duckdb-range-before-infinity."""
    column = Col("x", kind)
    if kind in INTEGERS or (kind == DOUBLE and not nulls_first):
        low, high = (Lit(kind, end if kind in INTEGERS else float(end).hex()) for end in (-1000, 1000))
        return CaseWhen((When(Between(column, low, high), column),))
    return column


def _moved(kind: SqlType, descending: bool, nulls_first: bool) -> Relation:
    values = Project(PAIRS, (Item("x", X[kind]),))
    order = (SortKey(_key(kind, nulls_first), descending, nulls_first),)
    counts = Window(values, _framed(Agg("count"), _MOVED), (), order)
    return Project(counts, tuple(Item(over.name, Col(over.name, BIGINT)) for over in counts.columns))


_ORDERS = {"asc nulls first": (False, True), "desc nulls last": (True, False), "asc nulls last": (False, False)}
RANGES: dict[str, Relation] = {
    name: together({type_text(kind): _moved(kind, *order) for kind in TYPES if can_be_moved(kind, 2)})
    for name, order in _ORDERS.items()
}

_COUNT = (Item("n", Agg("count")),)
_KEYS = (Item("k", K), Item("d", D), Item("s", S))
_IDS = (GroupingId("gk", (K,)), GroupingId("gs", (S,)), GroupingId("all", (K, D, S)))


def _sets(relation: Relation) -> dict[str, Relation]:
    sums = (*_COUNT, Item("sum", Agg("sum", K)), Item("values", Agg("count", S, distinct=True, where=_POSITIVE)))
    return {
        "rollup": GroupingSets(relation, "rollup", _KEYS, sums, _IDS),
        "cube": GroupingSets(relation, "cube", _KEYS, sums, _IDS),
        "sets": GroupingSets(relation, "sets", _KEYS[:2], _COUNT, (), ((1,), (0,), (1,), (), (0, 1))),
        "no empty set": GroupingSets(relation, "sets", _KEYS[:2], _COUNT, (), ((0,), (0, 1))),
        "having": GroupingSets(relation, "cube", _KEYS[::2], _COUNT, having=IsNull(Col("k", INT))),
        "having a key and an aggregate": GroupingSets(
            relation,
            "rollup",
            (Item("b", K),),
            (Item("c", Agg("max", K, where=IsNull(S, negated=True))),),
            having=Or(Compare(">", Col("c", INT), Col("b", INT)), IsNull(Col("b", INT))),
        ),
        "having an id": GroupingSets(
            relation,
            "rollup",
            _KEYS[:1],
            (),
            _IDS[:1],
            having=Or(Compare("=", Col("gk", BIGINT), Lit(BIGINT, 1)), Compare("=", Col("k", INT), Lit(INT, 2))),
        ),
        "constants": GroupingSets(
            relation,
            "cube",
            (Item("one", Lit(INT, 1)), Item("none", Lit(STRING, None))),
            (Item("sum", Agg("sum", Lit(INT, 1))),),
            having=Or(IsNull(Col("one", INT)), IsNull(Col("none", STRING))),
        ),
        "computed": GroupingSets(
            relation, "rollup", (Item("x", Arith("+", D, D)), Item("k", Cast(K, BIGINT))), (Item("m", Agg("max", K)),)
        ),
        "a key twice": GroupingSets(relation, "cube", (Item("a", K), Item("b", K)), _COUNT),
        "keys alone": GroupingSets(relation, "rollup", (Item("d", S), Item("s", D)), ()),
    }


def _pivots(relation: Relation) -> dict[str, Relation]:
    ks = tuple(PivotValue(f"k{value}", Lit(INT, value)) for value in (1, 2, None, 99))
    ss = tuple(PivotValue(f"s{value}", Lit(STRING, value)) for value in ("x", "", None, "no"))
    aggregates = {
        "rows": Agg("count"),
        "values": Agg("count", D),
        "distinct": Agg("count", S, distinct=True),
        "sum": Agg("sum", K),
        "filter": Agg("count", where=_POSITIVE),
        "text": Agg("max", S),
        "doubles": Agg("sum", D),
        "every": Agg("every", IsNull(S)),
        "true ones": Agg("count_if", IsNull(S)),
    }
    return {
        **{f"{name} by numbers": Pivot(relation, (), agg, K, ks) for name, agg in aggregates.items()},
        **{f"{name} by texts": Pivot(relation, (Item("k", K),), agg, S, ss) for name, agg in aggregates.items()},
    }


def _is_known_to_fail(kind: SqlType, value: Value) -> bool:
    return (kind, value) == (DOUBLE, "nan") or (value is None and (kind == BINARY or not is_plain(kind)))


def _by_value(kind: SqlType) -> Relation:
    """A pivot for every value that the column of ``kind`` has, but for known divergences (NaN, and NULL of
    BINARY, an array or a struct).
    """
    place = TYPES.index(kind)
    cells = [row for table in HOSTILE_DATABASE.tables for row in table.rows]
    at = next(n for n, field in enumerate(PAIRS.fields) if field.name == X[kind].name)
    literals = dict.fromkeys(Lit(kind, row[at]) for row in cells if not _is_known_to_fail(kind, row[at]))
    values = tuple(PivotValue(f"v{place}_{number}", literal) for number, literal in enumerate(literals))
    return Pivot(PAIRS, (), Agg("count"), X[kind], values)


VALUES: dict[str, Relation] = {
    "of every type": Values(
        tuple(f"v{place}" for place in range(len(LITERALS))),
        (ValuesRow(tuple(LITERALS.values())), ValuesRow(tuple(Lit(found.kind, None) for found in LITERALS.values()))),
    ),
    "against a table": SetOp(
        "except",
        T0,
        Values(
            ("k", "d", "s"),
            (
                ValuesRow((Lit(INT, 2), Lit(DOUBLE, "-0x0.0p+0"), Lit(STRING, ""))),
                ValuesRow((Lit(INT, 1), Lit(DOUBLE, "nan"), Lit(STRING, "x"))),
            ),
        ),
        all=True,
    ),
}

_SECTIONS: tuple[tuple[str, dict[str, Relation], Database, tuple[Settings, ...]], ...] = (
    ("window", _windows(T0), BAGS, (SQL, PROGRAM)),
    ("window of nothing", _windows(T2), BAGS, (SQL,)),
    ("range", RANGES, HOSTILE_DATABASE, (SQL,)),
    ("sets", _sets(T0), BAGS, (SQL, PROGRAM)),
    ("sets of nothing", _sets(T2), BAGS, (SQL, PROGRAM)),
    ("pivot", _pivots(T1), BAGS, (SQL,)),
    ("pivot of nothing", _pivots(T2), BAGS, (SQL,)),
    ("pivot by", {type_text(kind): _by_value(kind) for kind in TYPES}, HOSTILE_DATABASE, (SQL,)),
    ("values", VALUES, BAGS, (SQL,)),
)
GROUP_QUERIES: dict[str, tuple[Relation, Database, tuple[Settings, ...]]] = {
    f"{section}: {name}": (relation, database, ways)
    for section, relations, database, ways in _SECTIONS
    for name, relation in relations.items()
}
"""As the queries of semantic_queries."""
