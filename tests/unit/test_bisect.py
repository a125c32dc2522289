"""The smallest set of rules that still shows a difference."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.triage.bisect import culprit, minimal_subset

ITEMS = ("a", "b", "c", "d", "e")


def needs(*culprits: str) -> Callable[[tuple[str, ...]], bool]:
    """Fails whenever all of ``culprits`` are off."""
    return lambda names: set(culprits) <= set(names)


def either(*sets: str) -> Callable[[tuple[str, ...]], bool]:
    """Fails whenever all rules of one of ``sets`` are off."""
    return lambda names: any(set(each) <= set(names) for each in sets)


def exactly(*sets: str) -> Callable[[tuple[str, ...]], bool]:
    """Fails with just these sets, so that one rule more may hide what the others do."""
    return lambda names: set(names) in [set(each) for each in sets]


FOUND: dict[str, tuple[tuple[str, ...], Callable[[tuple[str, ...]], bool], tuple[str, ...]]] = {
    "nothing was off": ((), needs(), ()),
    "one was off": (("a",), needs("a"), ("a",)),
    "one was off, and isn't even needed": (("a",), needs(), ("a",)),
    "the first": (ITEMS, needs("a"), ("a",)),
    "the last": (ITEMS, needs("e"), ("e",)),
    "two culprits, each enough": (ITEMS, either("b", "d"), ("b",)),
    "a pair": (ITEMS, needs("b", "e"), ("b", "e")),
    "two pairs: one of them": (ITEMS, either("ab", "de"), ("d", "e")),
    "a single comes before a pair": (ITEMS, either("ab", "e"), ("e",)),
    "three": (ITEMS, needs("a", "c", "e"), ("a", "c", "e")),
    "all are needed": (ITEMS, needs(*ITEMS), ITEMS),
    "a third hides the pair": (("a", "b", "c", "d"), exactly("abcd", "acd", "cd"), ("c", "d")),
}


@pytest.mark.parametrize(("items", "fails", "minimal"), FOUND.values(), ids=FOUND)
def test_the_guilty_are_found(items, fails, minimal) -> None:
    assert minimal_subset(items, fails) == minimal


SOME = st.sets(st.sampled_from(ITEMS), min_size=1)


@given(SOME)
def test_the_culprits_of_one_cause_are_found_exactly(culprits: set[str]) -> None:
    assert set(minimal_subset(ITEMS, needs(*culprits))) == culprits


FOUR = ("a", "b", "c", "d")
BELOW = [frozenset(names) for size in (1, 2, 3) for names in combinations(FOUR, size)]


def not_minimal(failing: frozenset[frozenset[str]]) -> bool:
    """Whether what is found doesn't fail, or still fails with one rule less, where the sets in ``failing`` fail."""
    found = frozenset(minimal_subset(FOUR, lambda names: frozenset(names) in failing))
    return found not in failing or any(found - {name} in failing for name in found)


def test_what_is_found_fails_and_fails_no_more_with_one_rule_less() -> None:
    """Also where rules hide each other: over all the ways in which sets of four rules can fail."""
    ways = (frozenset(sets) | {frozenset(FOUR)} for size in range(15) for sets in combinations(BELOW, size))
    assert not any(map(not_minimal, ways))


@given(st.sets(SOME.map(frozenset), max_size=12))
def test_rules_keep_their_order(failing: set[frozenset[str]]) -> None:
    found = minimal_subset(ITEMS, lambda names: frozenset(names) in failing)
    assert list(found) == sorted(found)


def test_no_set_is_tried_twice() -> None:
    """Each try runs a query on two engines."""
    tried: list[tuple[str, ...]] = []

    def fails(names: tuple[str, ...]) -> bool:
        tried.append(names)
        return {"b", "d"} <= set(names)

    assert minimal_subset(ITEMS, fails) == ("b", "d")
    assert len(tried) == len(set(tried))


FIRED_WITHOUT: dict[str, tuple[dict[str, set[str]], str]] = {
    "one alone": ({"a": set()}, "a"),
    "the first prepares the second": ({"a": set(), "b": {"a"}}, "b"),
    "the second prepares the first": ({"a": {"b"}, "b": set()}, "a"),
    "a chain": ({"a": set(), "b": {"a"}, "c": {"a", "b"}}, "c"),
    "none prepares another: the first": ({"a": {"b"}, "b": {"a"}}, "a"),
}


@pytest.mark.parametrize(("fired_without", "guilty"), FIRED_WITHOUT.values(), ids=FIRED_WITHOUT)
def test_the_culprit_is_who_does_not_fire_without_the_others(fired_without, guilty) -> None:
    assert culprit(list(fired_without), fired_without) == guilty
