"""Operations of typed Datasets refuse rows and functions that they have not got."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from strategies.ir import Alias, AnyLimit, InvalidQuery, Join, TypedCount, TypedFilter, TypedMap
from tests.unit.ir_samples import T0

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "another function": (lambda: TypedFilter(T0, "a", "is_odd"), "no function 'is_odd'"),
    "another type": (lambda: TypedMap(T0, "b", "zero_if_null"), "zero_if_null takes no STRING"),
    "another column": (lambda: TypedFilter(T0, "q", "is_known"), "no column q"),
    "a name twice": (lambda: TypedFilter(Join(T0, Alias(T0, "r"), "cross"), "a", "is_known"), "has a name twice"),
    "rows up to the engine": (lambda: TypedFilter(AnyLimit(T0, 1), "a", "is_known"), "AnyLimit may stand at the top"),
    "a key with two zeros": (lambda: TypedCount(T0, "d", "n"), "rows can't be grouped by DOUBLE"),
    "a count under the key's name": (lambda: TypedCount(T0, "a", "a"), "two columns a"),
}


@pytest.mark.parametrize(("build", "why"), REFUSED.values(), ids=REFUSED)
def test_an_operation_is_refused(build: Callable[[], object], why: str) -> None:
    with pytest.raises(InvalidQuery, match=why):
        build()
