"""Hostile values of every type, and every expression, function, cast and aggregate over them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from itertools import product

from oracles.rules.releases import is_among
from strategies.draw.constants import CONSTANTS
from strategies.ir import (
    AGG_FUNCTIONS,
    ANY,
    ANY_ARRAY,
    ARITH_OPS,
    BIGINT,
    BINARY,
    BOOLEAN,
    COMPARE_OPS,
    DATE,
    DISTINCT_AGGREGATES,
    DOUBLE,
    FUNCTIONS,
    INT,
    INTEGERS,
    INTERVAL,
    LANGUAGES,
    MONTHS,
    MOVES,
    OVERFLOWS,
    SMALLINT,
    STRING,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    USER_FUNCTIONS,
    Agg,
    AggFunction,
    And,
    Arith,
    Array,
    Between,
    Call,
    CaseWhen,
    Cast,
    Coalesce,
    Col,
    Column,
    Compare,
    Database,
    Decimal,
    Element,
    Expr,
    FieldOfEach,
    GetField,
    HigherOrder,
    InList,
    IsNull,
    Item,
    Lit,
    MakeArray,
    MakeMap,
    MakeStruct,
    MapRead,
    Not,
    NullIf,
    Or,
    Remainder,
    Scan,
    Signature,
    SqlType,
    Struct,
    Table,
    TryArith,
    TryCast,
    UserCall,
    Value,
    When,
    WithField,
    WithoutField,
    aggregate_type,
    can_cast,
    can_try_cast,
    common_type,
    decimal_type,
    type_text,
)
from strategies.ir.array_functions import ARRAY_FUNCTIONS
from strategies.ir.number_functions import NUMBER_FUNCTIONS
from strategies.ir.text_functions import TEXT_FUNCTIONS
from strategies.ir.time_functions import TIME_FUNCTIONS

_FINITE = ("0x1.8000000000000p+0", "-0x1.0000000000000p-2", "0x1.fffffffffffffp+1023", "0x0.0000000000001p-1022")
_MOMENTS = (
    "1970-01-01 00:00:00.000000",
    "1969-12-31 23:59:59.999999",
    "2024-02-29 12:34:56.789012",
    "2023-10-31 12:34:56.789013",
    "9999-12-31 23:59:59.999999",
)
PAIR = Struct((("p", INT), ("q", STRING)))
NESTING = Struct((("n", PAIR), ("r", BIGINT)))
_TIMES: tuple[Value, ...] = (None, 0, 1_000, 1_000_000_000, 43_200_000_000_000, 86_399_999_999_000)
HOSTILE: dict[SqlType, tuple[Value, ...]] = {
    BOOLEAN: (None, True, False),
    SMALLINT: (None, 0, -1, 99, 32767, -32768),
    INT: (None, 0, -1, 7, 2147483647, -2147483648),
    BIGINT: (None, 0, -1, 2**53 + 1, 2**63 - 1, -(2**63)),
    DOUBLE: (None, "nan", "-0x0.0p+0", "0x0.0p+0", "inf", "-inf", *_FINITE),
    Decimal(10, 2): (None, "0.00", "-0.05", "1.25", "99999999.99", "-99999999.99"),
    Decimal(18, 0): (None, "0", "7", "999999999999999999", "-999999999999999999"),
    Decimal(5, 5): (None, "0.00000", "-0.12345", "0.99999"),
    STRING: (None, "", "a", "ab", " a ", "it's", "a\\_b", "%", "x\ny", "é😀", "${A}", "a\0"),
    BINARY: (None, "", "00", "61", "6162", "ff00"),
    DATE: (None, "1970-01-01", "1969-12-31", "2024-02-29", "1900-03-01", "0001-01-01", "9999-12-31"),
    TIMESTAMP: (None, "1900-01-01 00:00:00.000000", *_MOMENTS),
    TIMESTAMP_NTZ: (None, "0001-01-01 00:00:00.000000", *_MOMENTS),
    INTERVAL: (None, 0, -1, 1_000_000, 86_400_000_000, -129_600_000_000, 2**62, -(2**62)),
    MONTHS: (None, 0, -1, 1, 12, -13, 2**31 - 1, -(2**31)),
    **({TIME: _TIMES} if is_among(version("pyspark"), ">=4.1") else {}),
    Array(INT): (None, (), (1,), (1, None, 1), (None,), (2**31 - 1, -(2**31), 1, 2)),
    Array(STRING): (None, (), ("",), ("b", None, "a"), ("é😀", "a", "a")),
    Array(DOUBLE): (None, (), ("nan", None, "-0x0.0p+0"), ("inf", "0x0.0p+0", "nan"), ("0x0.0p+0", "-0x0.0p+0", "nan")),
    PAIR: (None, (None, None), (1, "a"), (1, None), (-1, "b")),
    Array(PAIR): (None, (), ((1, "a"),), (None,), ((None, None), (1, "a")), ((-1, ""), None, (1, None), (-1, ""))),
    NESTING: (None, (None, None), ((None, None), 1), ((1, "a"), 1), ((1, None), None), (None, -(2**63))),
}
TYPES = tuple(HOSTILE)
X = {kind: Col(f"x{position}", kind) for position, kind in enumerate(TYPES)}
Y = {kind: Col(f"y{position}", kind) for position, kind in enumerate(TYPES)}
ID, GROUP = Col("id", INT), Col("g", INT)

_COLUMNS = tuple(Column(column.name, column.type) for column in (ID, GROUP, *X.values(), *Y.values()))
_SIZE = max(len(values) ** 2 for values in HOSTILE.values())


def _row(number: int) -> tuple[Value, ...]:
    """Row ``number`` of all pairs of each type's values, begun again where a type has fewer."""
    ones = [values[number % len(values)] for values in HOSTILE.values()]
    others = [values[number // len(values) % len(values)] for values in HOSTILE.values()]
    return (number, (0, 1, 2, None)[number % 4], *ones, *others)


HOSTILE_TABLE = Table("pairs", _COLUMNS, tuple(_row(number) for number in range(_SIZE)))
"""Every pair of values of each type, in two columns of that type, numbered by ``id`` and in four groups ``g``."""
PAIRS = Scan("pairs", _COLUMNS)
HOSTILE_DATABASE = Database((HOSTILE_TABLE,))

_CONSTANTS: dict[str, tuple[tuple[Value, ...], ...]] = {
    "substring": ((1, 2), (2, 50), (3, 0), (-1, 1), (-2, 1), (-50, 51)),
    "left": ((0,), (1,), (50,)),
    "right": ((0,), (1,), (50,)),
    "lpad": ((3, "*"), (0, "ab"), (-1, "x"), (5, "é😀")),
    **dict.fromkeys(
        ("like_all", "like_any", "not_like_all", "not_like_any"),
        (("%", "a%"), ("", "_"), ("a%", "%b"), ("%a%", "a%b"), ("A", "a"), ("_a", "b"), ("%'%", "%")),
    ),
    "like": (("%",), ("",), ("_",), ("a%",), (r"\\",), (r"a\_b",), ("%'%",), ("%\n%",), ("_a",), ("%\0",)),
    "date_add": ((0,), (1,), (-1,), (10_000,), (-10_000,)),
    "array_at": ((1,), (-1,), (3,), (-4,)),
    "sequence": ((1, 1), (-1, 2)),
}
"""Where the choices of the strategies aren't all that is worth asking."""


def _constants(name: str) -> Iterator[tuple[Value, ...]]:
    signature = FUNCTIONS[name]
    drawn = product(*CONSTANTS.get(name, ()))
    yield from dict.fromkeys((*_CONSTANTS.get(name, ()), *(each for each in drawn if signature.check(*each))))


def _calls(table: Mapping[str, Signature]) -> Iterator[tuple[str, Expr]]:
    for name, signature in table.items():
        for types, constants in product(_argument_types(signature), _constants(name)):
            literals = dict(zip(signature.constants, constants, strict=True))
            arguments = tuple(
                Lit(kind, literals[position]) if position in literals else (X, Y)[position % 2][kind]
                for position, kind in enumerate(types)
            )
            yield f"{name} {', '.join(map(type_text, types))} {constants!a}", _guarded(name, arguments)


def _argument_types(signature: Signature) -> list[tuple[SqlType, ...]]:
    variables = [ANY] if not {ANY, ANY_ARRAY} & set(signature.arguments) else list(filter(signature.over, TYPES))
    found = [signature.types(variable) for variable in variables]
    free = [place for place in range(len(signature.arguments)) if place not in signature.constants]
    return [types for types in found if all(types[place] in X for place in free)]


def _guarded(name: str, arguments: tuple[Expr, ...]) -> Expr:
    """A call where it neither overflows nor leaves the calendar."""
    call, kind = Call(name, arguments), arguments[0].type
    if name in MOVES:
        text = "" if kind == DATE else " 00:00:00.000000"
        low, high = (Lit(kind, f"{day}{text}") for day in ("0101-01-01", "9900-12-31"))
    elif name in OVERFLOWS and kind in INTEGERS:
        low, high = Lit(kind, 0 if name == "shift_left" else -1000), Lit(kind, 1000)
    else:
        return call
    return CaseWhen((When(Between(arguments[0], low, high), call),))


def _comparisons() -> Iterator[tuple[str, Expr]]:
    for one, two in product(TYPES, TYPES):
        if common_type(one, two) is not None:
            for op in COMPARE_OPS if one == two else ("=", "<", "<=>"):
                yield f"{type_text(one)} {op} {type_text(two)}", Compare(op, X[one], Y[two])


def _casts() -> Iterator[tuple[str, Expr]]:
    for source, target in product(TYPES, (*TYPES, Decimal(28, 10), Decimal(38, 18))):
        if can_cast(source, target):
            yield f"{type_text(source)} as {type_text(target)}", Cast(X[source], target)
        if can_try_cast(source, target):
            yield f"try {type_text(source)} as {type_text(target)}", TryCast(X[source], target)
    for target, text in product(TYPES, _TEXTS):
        if can_try_cast(STRING, target):
            yield f"try {text!a} as {type_text(target)}", TryCast(NullIf(Lit(STRING, text), X[STRING]), target)


_NUMBER_TEXTS = ("12", "-1", "1.5", "-0.125", "99999", "3000000000", "1e2", " 7", "+7")
_TEXTS = (*_NUMBER_TEXTS, "true", "T", "no", "2024-02-30", "2024-2-9")


def _nested() -> Iterator[tuple[str, Expr]]:
    pair, nesting = PAIR, NESTING
    yield "field p", GetField(X[pair], "p")
    yield "field of a struct made for it", GetField(MakeStruct(("p", "q"), (X[INT], Y[DOUBLE])), "q")
    for key, name in ((1, "first"), (2, "second"), (3, "absent"), (None, "NULL")):
        read = Lit(INT, key)
        yield f"{name} key of a map", MapRead(MakeMap((Lit(INT, 1), Lit(INT, 2)), (X[STRING], Y[STRING])), read)
    yield "computed key of a map", MapRead(MakeMap((Lit(STRING, "a"), Lit(STRING, "")), (X[INT], Y[INT])), X[STRING])
    perhaps = CaseWhen((When(IsNull(X[INT]), MakeMap((Lit(INT, 0),), (Y[DOUBLE],))),))
    yield "key of a map or of NULL", MapRead(perhaps, Lit(INT, 0))
    yield "field n", GetField(X[nesting], "n")
    yield "field n of a made struct", GetField(MakeStruct(("n", "r"), (X[pair], X[BIGINT])), "n")
    yield "field p of the field n", GetField(GetField(X[nesting], "n"), "p")
    yield "field q of the first element", GetField(Call("array_get", (X[Array(pair)], Lit(INT, 0))), "q")
    yield "field p of the last element", GetField(Call("array_at", (X[Array(pair)], Lit(INT, -1))), "p")
    for kind, name, value in (
        (pair, "p", Y[INT]),
        (pair, "q", X[STRING]),
        (pair, "u", Lit(DATE, None)),
        (nesting, "n", Y[pair]),
    ):
        yield f"field {name} of {type_text(kind)} changed", WithField(X[kind], name, value)
        yield f"field {name} of {type_text(kind)} read again", GetField(WithField(X[kind], name, value), name)
    yield "field changed twice", WithField(WithField(X[pair], "q", Lit(STRING, "a")), "q", Y[STRING])
    yield "field added and dropped", WithoutField(WithField(X[pair], "u", Y[DOUBLE]), "u")
    yield "field changed in a field", WithField(X[nesting], "n", WithField(GetField(X[nesting], "n"), "p", Y[INT]))
    yield "field dropped", WithoutField(X[pair], "q")
    yield "field left of a dropped one", GetField(WithoutField(X[pair], "p"), "q")
    yield "field of a made struct changed", WithField(MakeStruct(("p", "q"), (X[INT], X[DATE])), "q", Y[DATE])
    yield "field of no struct changed", WithField(Lit(pair, None), "p", Y[INT])
    yield "field p of each element", FieldOfEach(X[Array(pair)], "p")
    yield "field q of each element", FieldOfEach(X[Array(pair)], "q")
    yield "field p of each element made for it", FieldOfEach(MakeArray(pair, (X[pair], Y[pair])), "p")
    yield "field p of each element of an array or another", FieldOfEach(Coalesce((X[Array(pair)], Y[Array(pair)])), "p")
    yield "field of no elements", FieldOfEach(MakeArray(pair), "p")
    yield "field of an element of each", HigherOrder("transform", X[Array(pair)], GetField(Element(pair), "q"))
    yield "array of columns", MakeArray(STRING, (X[STRING], Y[STRING]))
    yield "no elements", MakeArray(DATE)
    for kind in (Array(INT), Array(STRING), Array(DOUBLE), Array(pair)):
        element, text = Element(kind.element), type_text(kind)
        least = Compare(">", element, Lit(kind.element, HOSTILE[kind][2][0]))
        yield f"transform {text}", HigherOrder("transform", X[kind], Coalesce((element, Lit(kind.element, None))))
        yield f"transform {text} to conditions", HigherOrder("transform", X[kind], least)
        for function in ("filter", "exists", "forall"):
            yield f"{function} {text}", HigherOrder(function, X[kind], least)


def _decimals() -> Iterator[tuple[str, Expr]]:
    for op, one, two in product(ARITH_OPS, TYPES, TYPES):
        if decimal_type(op, one, two) is not None:
            yield f"{type_text(one)} {op} {type_text(two)}", Arith(op, X[one], Y[two])


def _for_each_type() -> Iterator[tuple[str, Expr]]:
    for kind, values in HOSTILE.items():
        x, y, text = X[kind], Y[kind], type_text(kind)
        constants = tuple(Lit(kind, value) for value in values)
        yield f"{text} is null", IsNull(x)
        yield f"{text} is not null", IsNull(x, negated=True)
        yield f"{text} in", InList(x, (y, constants[-1]))
        yield f"{text} in constants", InList(x, constants[1:3])
        yield f"{text} not in with null", InList(x, constants[:2], negated=True)
        yield f"{text} between", Between(x, constants[1], y)
        yield f"{text} not between", Between(x, y, constants[-1], negated=True)
        yield f"{text} case", CaseWhen((When(IsNull(x), y), When(Compare("<", x, y), x)), constants[-1])
        yield f"{text} case without else", CaseWhen((When(X[BOOLEAN], x),))
        yield f"{text} coalesce", Coalesce((x, y, constants[1]))
        yield f"{text} coalesce of one", Coalesce((x,))
        yield f"{text} nullif", NullIf(x, y)
        for value, constant in zip(values, constants, strict=True):
            yield f"{text} constant {value!a}", constant


def _arithmetic() -> Iterator[tuple[str, Expr]]:
    for kind, op in product((*INTEGERS, DOUBLE), ARITH_OPS):
        yield f"{type_text(kind)} try {op}", TryArith(op, X[kind], Y[kind])
    for kind, op in product(INTEGERS, ARITH_OPS):
        yield f"{type_text(kind)} {op}", Arith(op, Remainder(X[kind], 100), Remainder(Y[kind], 100))
    for op in ARITH_OPS:
        yield f"DOUBLE {op}", Arith(op, X[DOUBLE], Y[DOUBLE])
    for kind, divisor in product(INTEGERS, (1, 2, -7, 100)):
        yield f"{type_text(kind)} % {divisor}", Remainder(X[kind], divisor)


def _user_calls() -> Iterator[tuple[str, Expr]]:
    for language, (name, function) in product(LANGUAGES, USER_FUNCTIONS.items()):
        operands = tuple(side[kind] for side, kind in zip((X, Y), function.arguments, strict=False))
        yield f"{language} {name}", UserCall(language, name, operands)
        nulls = tuple(Lit(kind, None) for kind in function.arguments)
        yield f"{language} {name} of NULL", UserCall(language, name, nulls)


_SUBJECTS = {
    "text": TEXT_FUNCTIONS,
    "times": TIME_FUNCTIONS,
    "numbers": NUMBER_FUNCTIONS,
    "arrays": ARRAY_FUNCTIONS,
}

SCALARS: dict[str, dict[str, Expr]] = {
    "logic": {"and": And(X[BOOLEAN], Y[BOOLEAN]), "or": Or(X[BOOLEAN], Y[BOOLEAN]), "not": Not(X[BOOLEAN])},
    "each type": dict(_for_each_type()),
    "arithmetic": dict(_arithmetic()),
    "comparisons": dict(_comparisons()),
    "casts": dict(_casts()),
    "decimals": dict(_decimals()),
    "nested": dict(_nested()),
    "user-defined functions": dict(_user_calls()),
    **{f"functions of {subject}": dict(_calls(table)) for subject, table in _SUBJECTS.items()},
}

# Expressions that have one sum in any order: no overflow, no rounding.
_SUMMABLE: dict[SqlType, Expr] = {
    BIGINT: Remainder(X[BIGINT], 1000),
    DOUBLE: CaseWhen((When(Compare("<", Call("abs", (X[DOUBLE],)), Lit(DOUBLE, "0x1.0000000000000p+6")), X[DOUBLE]),)),
}
_WHERE = Compare(">=", Y[INT], Lit(INT, 0))


_OTHERS: dict[AggFunction, tuple[tuple[Expr, ...], ...]] = {
    "percentile": ((Lit(DOUBLE, (0.5).hex()),), (Lit(DOUBLE, (0.25).hex()),), (Lit(DOUBLE, (1.0).hex()),)),
    "percentile_approx": ((Lit(DOUBLE, (0.5).hex()),), (Lit(DOUBLE, (0.25).hex()),), (Lit(DOUBLE, (0.0).hex()),)),
    "listagg": ((Lit(STRING, ", "),), (Lit(STRING, ""),)),
    "max_by": ((Y[DOUBLE],), (Y[Array(INT)],)),
    "min_by": ((Y[STRING],),),
    "regr_count": ((Y[INT],), (Y[DOUBLE],)),
}


def _aggregates() -> Iterator[tuple[str, Agg]]:
    yield "count(*)", Agg("count")
    yield "count(*) filter", Agg("count", where=_WHERE)
    for function, kind in product(AGG_FUNCTIONS, TYPES):
        if aggregate_type(function, kind) is not None:
            operand = _SUMMABLE.get(kind, X[kind]) if function in ("sum", "avg") else X[kind]
            for others in _OTHERS.get(function, ((),)):
                text = f"{function}({type_text(kind)}) {others}"
                yield text, Agg(function, operand, others=others)
                yield f"{text} filter", Agg(function, operand, where=_WHERE, others=others)
    yield "count of two", Agg("count", X[INT], others=(Y[STRING],))
    yield "sum(DOUBLE) with NaN", Agg("sum", NullIf(X[DOUBLE], Lit(DOUBLE, _FINITE[2])))


def _distinct_aggregates() -> Iterator[tuple[str, Agg]]:
    together = [name for name in DISTINCT_AGGREGATES if name != "listagg"]  # Spark fails on that beside another
    for name, aggregate in _aggregates():
        if aggregate.function in together and aggregate.operand is not None and aggregate.where is None:
            distinct = Agg(aggregate.function, aggregate.operand, distinct=True, others=aggregate.others)
            yield name.replace("(", "(distinct ", 1), distinct
    yield "count(distinct INT) filter", Agg("count", X[INT], distinct=True, where=_WHERE)
    yield "sum(distinct INT) filter", Agg("sum", X[INT], distinct=True, where=_WHERE)


def _of(functions: Iterable[AggFunction], named: Iterable[tuple[str, Agg]]) -> dict[str, Agg]:
    return {name: aggregate for name, aggregate in named if aggregate.function in functions}


_LISTS: tuple[AggFunction, ...] = ("collect_list", "collect_set", "listagg")
_CHOICES: tuple[AggFunction, ...] = ("max_by", "min_by")
AGGREGATES: dict[str, dict[str, Agg]] = {
    "plain": _of([name for name in AGG_FUNCTIONS if name not in (*_LISTS, *_CHOICES)], _aggregates()),
    "lists": _of(_LISTS, _aggregates()),
    "by another": _of(_CHOICES, _aggregates()),
    "distinct": dict(_distinct_aggregates()),
}


def items(named: Mapping[str, Expr | Agg]) -> tuple[Item, ...]:
    """A select list of all of them, under short names."""
    return tuple(Item(f"c{position}", value) for position, value in enumerate(named.values()))
