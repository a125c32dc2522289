"""The comparator is what every verdict stands on, so it is tested like the rules: by planted faults."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter

import pytest
from hypothesis import given

from tests.meta.comparator_faults import Mutant
from tests.meta.comparator_laws import (
    LAWS,
    Comparator,
    Edit,
    Law,
    broken_by,
    edits,
    ignores_shuffle,
    sees_edit,
    sees_order_where_it_counts,
    shuffles,
)
from tests.meta.comparator_mutants import ALWAYS_SAME, MUTANTS, NEVER_SAME

REAL = Comparator("the real one")
LOOKING = [mutant for mutant in MUTANTS if mutant not in (ALWAYS_SAME, NEVER_SAME)]


@cache
def laws_broken_by(mutant: Mutant) -> tuple[str, ...]:
    return tuple(law.name for law in LAWS if broken_by(law, mutant.comparator))


@pytest.mark.parametrize("law", LAWS, ids=attrgetter("name"))
def test_the_comparator_keeps_every_law(law: Law) -> None:
    law.check(REAL)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("mutant", MUTANTS, ids=attrgetter("comparator.name"))
def test_a_planted_fault_breaks_the_law_that_is_against_it(
    mutant: Mutant, record_property: Callable[[str, object], None]
) -> None:
    """By the law named with it, so that no fault is caught by accident; the others are shown beside."""
    killers = laws_broken_by(mutant)
    record_property("killed by", killers)
    assert mutant.law in killers, f"{mutant.comparator.name!r} was killed by {killers or 'nothing'}"


@pytest.mark.parametrize("law", LAWS, ids=attrgetter("name"))
def test_a_law_convicts_a_comparator_that_compares(law: Law) -> None:
    """A law that only those break that never look shows nothing about looking."""
    convicted = [mutant.comparator.name for mutant in LOOKING if law.name in laws_broken_by(mutant)]
    assert convicted != []


def test_mutants_and_laws_have_names_of_their_own() -> None:
    names = [mutant.comparator.name for mutant in MUTANTS] + [law.name for law in LAWS]
    assert sorted(names) == sorted(set(names))


@given(edits())
def test_the_comparator_sees_any_single_edit(edit: Edit) -> None:
    sees_edit(REAL, edit)


@given(shuffles())
def test_the_comparator_ignores_any_order_that_does_not_count(shuffle: Edit) -> None:
    ignores_shuffle(REAL, shuffle)


@given(shuffles())
def test_the_comparator_sees_any_order_that_counts(shuffle: Edit) -> None:
    sees_order_where_it_counts(REAL, shuffle)
