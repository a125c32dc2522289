"""A LIMIT without an order: any right choice of rows is as any other, a wrong one stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.answers.outcome import Outcome, Raised, Rows
from oracles.answers.rows import same
from oracles.answers.unordered_limit import settled
from strategies.ir import INT, AnyLimit, Column, Scan

T = Scan("t", (Column("a", INT),))
OVERFLOW = Raised("ARITHMETIC_OVERFLOW", "22003", "too big", "user")


def rows(*values: int | None, tag: str = "int32") -> Rows:
    """One column of ``values``."""
    return Rows((tag,), tuple((None if value is None else (tag, value),) for value in values))


INPUT = rows(1, 1, None, 2)

RIGHT: dict[str, tuple[Rows, Rows, AnyLimit]] = {
    "the first rows": (rows(1, 1), INPUT, AnyLimit(T, 2)),
    "other rows": (rows(2, None), INPUT, AnyLimit(T, 2)),
    "in another order": (rows(2, 1, None, 1), INPUT, AnyLimit(T, 4)),
    "more than there are": (INPUT, INPUT, AnyLimit(T, 9)),
    "none asked for": (rows(), INPUT, AnyLimit(T, 0)),
    "none there": (rows(), rows(), AnyLimit(T, 3)),
    "what an offset leaves": (rows(1), INPUT, AnyLimit(T, 2, 3)),
    "an offset at the end": (rows(), INPUT, AnyLimit(T, 2, 4)),
    "an offset beyond the end": (rows(), INPUT, AnyLimit(T, 2, 9)),
}


@pytest.mark.parametrize(("limited", "unlimited", "limit"), RIGHT.values(), ids=RIGHT)
def test_a_right_choice_is_as_any_other(limited: Rows, unlimited: Rows, limit: AnyLimit) -> None:
    chosen = settled(limited, unlimited, limit)
    assert isinstance(chosen, Rows)
    assert settled(chosen, unlimited, limit) == chosen
    assert len(chosen.rows) == len(limited.rows)
    assert settled(limited, unlimited, limit, whole=True) is unlimited


WRONG: dict[str, tuple[Outcome, Outcome, AnyLimit]] = {
    "a row too few": (rows(1), INPUT, AnyLimit(T, 2)),
    "a row too many": (rows(1, 1, 2), INPUT, AnyLimit(T, 2)),
    "a row that isn't there": (rows(1, 3), INPUT, AnyLimit(T, 2)),
    "a row more often than it is there": (rows(2, 2), INPUT, AnyLimit(T, 2)),
    "NULL more often than it is there": (rows(None, None), INPUT, AnyLimit(T, 2)),
    "a row beyond the end": (rows(1), INPUT, AnyLimit(T, 2, 9)),
    "the offset passed over": (INPUT, INPUT, AnyLimit(T, 4, 1)),
    "another type": (rows(1, 1, tag="int64"), INPUT, AnyLimit(T, 2)),
    "another type, without rows": (rows(tag="int64"), INPUT, AnyLimit(T, 0)),
    "limited raised": (OVERFLOW, INPUT, AnyLimit(T, 2)),
    "both raised": (OVERFLOW, Raised("DIVIDE_BY_ZERO", "22012", "by zero", "user"), AnyLimit(T, 2)),
}


@pytest.mark.parametrize(("limited", "unlimited", "limit"), WRONG.values(), ids=WRONG)
def test_anything_else_stays_as_it_is(limited: Outcome, unlimited: Outcome, limit: AnyLimit) -> None:
    assert settled(limited, unlimited, limit) is limited


def test_rows_of_an_input_that_raises_are_what_it_raises() -> None:
    """Else one engine's choice would be compared with another's where both are right."""
    assert settled(rows(1, 1), OVERFLOW, AnyLimit(T, 2)) is OVERFLOW
    assert settled(rows(1, 1), OVERFLOW, AnyLimit(T, 2), whole=True) is OVERFLOW


@pytest.mark.parametrize("limit", [AnyLimit(T, 2), AnyLimit(T, 0), AnyLimit(T, 9, 1)], ids=["count", "none", "offset"])
def test_all_rows_where_some_were_asked_for_differ_from_a_right_choice(limit: AnyLimit) -> None:
    right = Rows(INPUT.schema, INPUT.rows[limit.offset : limit.offset + limit.count])
    assert not same(settled(INPUT, INPUT, limit), settled(right, INPUT, limit))


VALUES = st.lists(st.none() | st.integers(0, 2), max_size=6)


@given(VALUES, st.integers(0, 7), st.integers(0, 7), st.randoms(use_true_random=False))
def test_whatever_an_engine_skips_and_keeps_is_right(values, count, offset, random) -> None:
    unlimited = rows(*values)
    shuffled = random.sample(values, len(values))
    limit = AnyLimit(T, count, offset)
    chosen = settled(rows(*shuffled[offset : offset + count]), unlimited, limit)
    assert chosen == settled(rows(*values[offset : offset + count]), unlimited, limit)
