"""How many of the cases that a fuzz run draws a pattern fits, and which patterns fit too many."""

from __future__ import annotations

import pytest

from assay.fuzz.corpus import CORPUS
from assay.replay.breadth import WIDEST, breadth, too_wide
from assay.replay.register import TooWide, require_narrow
from oracles.patterns.features import MADE_OF, has_all
from strategies.ir import INT, Compare, Filter, Lit
from tests.rules.corpus import read_regression
from tests.unit.campaign_queries import many_cases
from tests.unit.failure_samples import T0, A, case_of

pytestmark = pytest.mark.slow  # 5,000 draws take a minute or two

WIDE = {"Compare:=, Filter": (5, 25), "Agg, Aggregate": (10, 40), "": (100, 100), "source=orc": (0.3, 3)}
NARROW = ("6fea37f7a962ce32", "3edd0aa067734bbf", "26aadd4076d12357")
"""Bugs of the corpus that were registered with a list of their parts."""


@pytest.mark.parametrize(("parts", "bounds"), WIDE.items(), ids=[parts or "no part" for parts in WIDE])
def test_a_pattern_fits_the_share_of_draws_that_have_all_its_parts(parts: str, bounds: tuple[float, float]) -> None:
    pattern, cases = MADE_OF + parts, many_cases()
    least, most = bounds
    assert least <= breadth(pattern) <= most
    assert breadth(pattern) == pytest.approx(100 * sum(has_all(pattern, case) for case in cases) / len(cases))


@pytest.mark.parametrize("parts", WIDE, ids=[parts or "no part" for parts in WIDE])
def test_a_pattern_that_fits_many_draws_is_too_wide(parts: str) -> None:
    assert f"fits {breadth(MADE_OF + parts):.1f} % of 5,000 draws, more than {WIDEST} %" in too_wide(MADE_OF + parts)


def test_what_is_said_of_a_wide_pattern_names_the_share_of_each_part_in_one_line() -> None:
    told = too_wide(MADE_OF + "Compare:=, Filter")
    for part in ("Compare:=", "Filter"):
        assert f"{part} {breadth(MADE_OF + part):.1f} %" in told
    assert "\n" not in told


@pytest.mark.parametrize("name", NARROW)
def test_a_pattern_that_fits_few_draws_is_not_too_wide(name: str) -> None:
    require_narrow(read_regression(CORPUS / f"{name}.json").failure.case)


def test_more_parts_make_a_pattern_narrower() -> None:
    assert breadth(MADE_OF + "Compare:=, Filter, SetOp:except") < breadth(MADE_OF + "Compare:=, Filter")


def test_a_case_of_common_parts_alone_is_refused() -> None:
    with pytest.raises(TooWide, match=r"oracles/patterns/queries\.py"):
        require_narrow(case_of(Filter(T0, Compare("=", A, Lit(INT, 0)))))
