"""Running a script in a process of its own: what its end amounts to. These scripts start no Spark."""

from __future__ import annotations

import pytest

from oracles.failures.confirmation import Stock
from oracles.failures.scripts.confirm import StockSpark
from oracles.failures.scripts.script import NO_DIFFERENCE, SHOWS, Script


def ending(*lines: str, code: int) -> str:
    """A script that prints ``lines`` and ends with ``code``."""
    return f"import sys\nprint({chr(10).join(('Spark 4.3.0', *lines))!r})\nsys.exit({code})"


SHOWN: dict[str, tuple[str, Stock]] = {
    "at once": (ending(f"under A: {SHOWS}", "  (1)  x1", code=1), Stock("confirmed", "under A")),
    "later": (ending(f"under A: {NO_DIFFERENCE}", f"under B: {SHOWS}", code=1), Stock("confirmed", "under B")),
    "not": (
        ending(f"under A: {NO_DIFFERENCE}", f"under B: {NO_DIFFERENCE}", code=0),
        Stock("assay-only", "its script ends with 0"),
    ),
    "not to be told": (
        ending(f"under A: {NO_DIFFERENCE}", "under B: there is another error", code=2),
        Stock("impossible", "under B: there is another error"),
    ),
    "a crash": (
        ending(f"under A: {NO_DIFFERENCE}", code=2).replace("sys.exit(2)", "sys.exit('no Java')"),
        Stock("impossible", "no Java"),
    ),
    "no Python": ("def", Stock("impossible", "SyntaxError: invalid syntax")),
    "an exception, whose code is 1 too": ("raise ValueError('ours')", Stock("impossible", "ValueError: ours")),
    "nothing said": ("", Stock("impossible", "it ended with 0")),
}


@pytest.mark.parametrize(("text", "stock"), SHOWN.values(), ids=SHOWN)
def test_a_script_is_believed_when_code_and_words_agree(text: str, stock: Stock) -> None:
    assert StockSpark().asked(Script(text)) == stock


def test_what_a_script_may_miss_is_no_proof_that_it_is_not_there() -> None:
    quiet, _ = SHOWN["not"]
    assert StockSpark().asked(Script(quiet, ("joins had hints",))) == Stock("impossible", "joins had hints")


def test_a_script_has_its_time() -> None:
    stock = StockSpark(time_limit=0.5).asked(Script("import time\ntime.sleep(60)"))
    assert (stock.shown, "had not ended" in stock.reason) == ("impossible", True)


def test_there_is_no_fourth_way() -> None:
    with pytest.raises(ValueError, match="no script shows 'maybe'"):
        Stock("maybe")  # type: ignore[arg-type]
