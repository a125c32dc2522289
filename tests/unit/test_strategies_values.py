"""Values and literals: of their type, hostile, alike everywhere, and simplest first."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import strategies as st

from strategies import ir
from strategies.draw.draws import below, one_in, pick, without_mutation
from strategies.draw.values import COLUMN_TYPES, INDEXES, NESTED_TYPES, domain, literals, one_of_two, value_at, values
from strategies.ir import (
    BIGINT,
    BINARY,
    BOOLEAN,
    DATE,
    DOUBLE,
    INT,
    INTEGERS,
    SMALLINT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    Decimal,
    Lit,
    SqlType,
    Value,
    check_value,
    integer_range,
    type_text,
)
from tests.unit.strategy_asserts import assert_all_examples, drawn, find_any, minimal

KINDS = (*COLUMN_TYPES, *NESTED_TYPES, Decimal(1, 1), Decimal(5, 0), Decimal(28, 2), Decimal(38, 4))
every_kind = pytest.mark.parametrize("kind", KINDS, ids=type_text)

LEAST: dict[SqlType, Value] = {
    BOOLEAN: False,
    SMALLINT: 0,
    INT: 0,
    BIGINT: 0,
    DOUBLE: "0x0.0p+0",
    STRING: "",
    BINARY: "",
    DATE: "1970-01-01",
    TIMESTAMP: "1970-01-01 00:00:00.000000",
    TIMESTAMP_NTZ: "1970-01-01 00:00:00.000000",
    Decimal(9, 2): "0.00",
    Decimal(18, 4): "0.0000",
}


def is_of(kind: SqlType, value: Value) -> bool:
    """Whether ``value`` is one of ``kind``; InvalidQuery where it isn't."""
    check_value(kind, value)
    return True


def test_every_type_of_the_algebra_is_a_columns_type() -> None:
    assert {*ir.ATOMIC.values(), Decimal(9, 2), Decimal(18, 4), Decimal(28, 6)} == set(COLUMN_TYPES)


@every_kind
def test_values_are_of_their_type(kind: SqlType) -> None:
    assert_all_examples(values(kind), lambda value: is_of(kind, value))


@every_kind
def test_values_are_never_null_unless_allowed(kind: SqlType) -> None:
    assert_all_examples(values(kind, allow_null=False), lambda value: value is not None)


@every_kind
def test_values_reach_null(kind: SqlType) -> None:
    assert find_any(values(kind), lambda value: value is None) is None


@every_kind
def test_literals_carry_their_type(kind: SqlType) -> None:
    assert_all_examples(literals(kind), lambda literal: literal.type == kind and isinstance(literal, Lit))


@every_kind
def test_literals_come_from_the_cells_domain(kind: SqlType) -> None:
    """Or hardly any comparison with a constant would be true."""
    assert_all_examples(literals(kind, allow_null=False), lambda literal: literal.value in domain(kind))


@every_kind
def test_a_domain_has_no_value_twice(kind: SqlType) -> None:
    assert len(set(domain(kind))) == len(domain(kind))


@every_kind
def test_every_value_of_a_domain_has_an_index(kind: SqlType) -> None:
    assert {value_at(kind, index) for index in range(INDEXES)} == set(domain(kind))


@pytest.mark.parametrize(
    ("kind", "two"),
    [(DOUBLE, {(0.0).hex(), (-0.0).hex()}), (INT, {0, 2}), (BOOLEAN, {False, True})],
    ids=["both zeros", "numbers", "all there are"],
)
def test_one_of_two_values_is_the_first_or_the_third(kind: SqlType, two: set[Value]) -> None:
    assert {one_of_two(kind, index) for index in range(INDEXES)} == two


@pytest.mark.parametrize("kind", LEAST, ids=type_text)
def test_values_shrink_to_the_least(kind: SqlType) -> None:
    assert minimal(values(kind)) == LEAST[kind]


def test_a_null_that_survives_shrinking_matters() -> None:
    """Asked for nothing, the shrinker doesn't end at NULL; asked for NULL, it does."""
    assert minimal(literals(INT)) == Lit(INT, 0)
    assert minimal(literals(INT), lambda literal: literal.value is None) == Lit(INT, None)


@pytest.mark.parametrize("kind", INTEGERS, ids=type_text)
def test_integers_reach_both_ends(kind: SqlType) -> None:
    assert set(integer_range(kind)) <= set(domain(kind))


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (DOUBLE, "nan"),
        (DOUBLE, "inf"),
        (DOUBLE, "-inf"),
        (DOUBLE, "-0x0.0p+0"),
        (STRING, ""),
        (STRING, " a"),
        (STRING, "\N{MUSICAL SYMBOL G CLEF}"),
        (STRING, "\\'"),
        (BINARY, "00"),
        (DATE, "0001-01-01"),
        (DATE, "9999-12-31"),
        (TIMESTAMP, "1969-12-31 23:59:59.999999"),
        (TIMESTAMP_NTZ, "2024-02-29 12:34:56.123456"),
        (Decimal(9, 2), "-9999999.99"),
    ],
    ids=str,
)
def test_values_reach_what_breaks_engines(kind: SqlType, value: Value) -> None:
    assert find_any(values(kind), lambda found: found == value) == value


def finite(kind: SqlType) -> list[Fraction]:
    """The finite doubles of the domain, exactly."""
    return [Fraction(float.fromhex(str(text))) for text in domain(kind) if text not in ("nan", "inf", "-inf")]


def test_doubles_are_small_and_dyadic() -> None:
    """So that sums are exact, and the same in every order; the greatest double would spoil all of them."""
    assert all(abs(number) <= 4 and number.denominator in (1, 2, 4) for number in finite(DOUBLE))


def test_letters_have_one_letter_for_their_other_case() -> None:
    """The engines disagree about those that have more."""
    assert all(len(text.upper()) == len(text) == len(text.lower()) for text in map(str, domain(STRING)))


def test_a_fifth_to_a_half_of_the_values_are_null() -> None:
    nulls = drawn(values(INT), count=400).count(None)
    assert 80 <= nulls <= 200


# The cheap draws that all strategies are made of.


def test_below_stays_below_and_shrinks_to_nothing() -> None:
    assert_all_examples(below(3), lambda number: number in (0, 1, 2))
    assert find_any(below(3), lambda number: number == 2) == 2
    assert minimal(below(3)) == 0


def test_pick_shrinks_to_the_first() -> None:
    picked = st.composite(lambda draw: pick(draw, "abc"))()
    assert set(drawn(picked, count=20)) == {"a", "b", "c"}
    assert minimal(picked) == "a"


def test_rarely_shrinks_to_false() -> None:
    flags = st.composite(lambda draw: one_in(draw, 5))()
    assert find_any(flags, bool) is True
    assert minimal(flags) is False


def test_each_afresh_shrinks_as_the_strategy_itself() -> None:
    numbers = st.lists(st.integers(0, 100))
    assert minimal(without_mutation(numbers), lambda found: sum(found) >= 150) == minimal(
        numbers, lambda found: sum(found) >= 150
    )


def test_each_afresh_repeats_less_of_one_example_in_the_next() -> None:
    """Hypothesis makes most examples out of parts of the one before; here they share next to nothing."""
    numbers = st.tuples(*[st.integers(0, 10**6)] * 3)
    assert len({number for example in drawn(without_mutation(numbers), count=200) for number in example}) > 500
    assert len({number for example in drawn(numbers, count=200) for number in example}) < 500
