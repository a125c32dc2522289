"""Maps without meaning can't be built."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from strategies.ir import BOOLEAN, INT, STRING, Agg, Col, InvalidQuery, Lit, MakeMap, MapRead, NullIf

A, B, ONE = Col("a", INT), Col("b", STRING), Lit(INT, 1)
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "without-entries": (lambda: MakeMap((), ()), "0 keys for 0 values"),
    "uneven": (lambda: MakeMap((ONE,), (A, B)), "1 keys for 2 values"),
    "of-two-types": (lambda: MakeMap((ONE, Lit(INT, 2)), (A, B)), "needs one type"),
    "key-twice": (lambda: MakeMap((ONE, ONE), (A, A)), "needs different keys"),
    "key-null": (lambda: MakeMap((Lit(INT, None),), (A,)), "needs different keys"),
    "key-type": (lambda: MakeMap((Lit(BOOLEAN, True),), (A,)), "needs different keys of INT or STRING"),
    "read-of-no-map": (lambda: MapRead(A, ONE), "needs a MAP, got INT"),
    "compared": (lambda: NullIf(MakeMap((ONE,), (A,)), MakeMap((ONE,), (A,))), "compares no maps"),
    "counted-once": (lambda: Agg("count", MakeMap((ONE,), (A,)), True), "count has no DISTINCT"),
    "read-by-another-type": (lambda: MapRead(MakeMap((ONE,), (A,)), B), "needs a key of INT, got STRING"),
}


@pytest.mark.parametrize(("build", "message"), REFUSED.values(), ids=REFUSED)
def test_a_map_without_meaning_is_refused_with_a_message_that_says_which(
    build: Callable[[], object], message: str
) -> None:
    with pytest.raises(InvalidQuery, match=message):
        build()
