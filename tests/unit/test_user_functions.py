"""Calls of user-defined functions refuse what no session has."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from strategies.ir import INT, STRING, Col, InvalidQuery, UserCall

A, B = Col("a", INT), Col("b", STRING)
REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "another language": (lambda: UserCall("r", "mark", (B,)), "no language 'r'"),  # type: ignore[arg-type]
    "another function": (lambda: UserCall("scala", "twice", (A,)), "no function 'twice'"),
    "another type": (lambda: UserCall("python", "add", (A, B)), r"add takes \(INT, INT\), got \(INT, STRING\)"),
    "too few operands": (lambda: UserCall("python", "mark", ()), r"mark takes \(STRING\), got \(\)"),
}


@pytest.mark.parametrize(("build", "why"), REFUSED.values(), ids=REFUSED)
def test_a_call_is_refused(build: Callable[[], object], why: str) -> None:
    with pytest.raises(InvalidQuery, match=why):
        build()
