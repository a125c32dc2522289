"""Rules off: what a set of switches amounts to as session settings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles.rules.switch import (
    AQE_EXCLUDED,
    EXCLUDED,
    INJECTED,
    REFERENCE,
    ByConf,
    Excluded,
    Injected,
    Reference,
    Switch,
    switch_off,
    switched_on,
)

BY_CONF = ByConf("spark.sql.optimizer.replaceExceptWithFilter", "false")

SETTINGS: dict[str, tuple[list[Switch], dict[str, str], dict[str, str]]] = {
    "nothing": ([], {}, {}),
    "nothing over a base": ([], {EXCLUDED: "A"}, {EXCLUDED: "A"}),
    "excluded goes into both lists": ([Excluded(("A",))], {}, {EXCLUDED: "A", AQE_EXCLUDED: "A"}),
    "excluded with its partner": ([Excluded(("A", "AqeA"))], {}, {EXCLUDED: "A,AqeA", AQE_EXCLUDED: "A,AqeA"}),
    "two excluded": ([Excluded(("A",)), Excluded(("B",))], {}, {EXCLUDED: "A,B", AQE_EXCLUDED: "A,B"}),
    "excluded twice": ([Excluded(("A",)), Excluded(("A",))], {}, {EXCLUDED: "A", AQE_EXCLUDED: "A"}),
    "excluded, added to the base's": ([Excluded(("B",))], {EXCLUDED: "A"}, {EXCLUDED: "A,B", AQE_EXCLUDED: "B"}),
    "the lists stay apart": (
        [Excluded(("C",))],
        {EXCLUDED: "A", AQE_EXCLUDED: "B"},
        {EXCLUDED: "A,C", AQE_EXCLUDED: "B,C"},
    ),
    "an empty list of the base": ([Excluded(("A",))], {EXCLUDED: ""}, {EXCLUDED: "A", AQE_EXCLUDED: "A"}),
    "by conf": ([BY_CONF], {}, {BY_CONF.key: "false"}),
    "by conf, over the base's": ([BY_CONF], {BY_CONF.key: "true"}, {BY_CONF.key: "false"}),
    "reference": ([Reference(("Except",))], {}, {REFERENCE: "Except"}),
    "reference nodes are merged": (
        [Reference(("Distinct", "Except")), Reference(("Except",)), Reference(("Intersect",))],
        {},
        {REFERENCE: "Distinct,Except,Intersect"},
    ),
    "injected": ([Injected("Mine")], {}, {INJECTED + "Mine": "false"}),
    "injected, which the base had on": ([Injected("Mine")], switched_on("Mine"), {INJECTED + "Mine": "false"}),
    "all kinds, and a setting that is none of theirs": (
        [Excluded(("A",)), BY_CONF, Reference(("Except",)), Injected("Mine")],
        {"spark.sql.ansi.enabled": "true"},
        {
            "spark.sql.ansi.enabled": "true",
            EXCLUDED: "A",
            AQE_EXCLUDED: "A",
            BY_CONF.key: "false",
            REFERENCE: "Except",
            INJECTED + "Mine": "false",
        },
    ),
}


@pytest.mark.parametrize(("switches", "base", "expected"), SETTINGS.values(), ids=SETTINGS)
def test_switches_amount_to_settings(switches: list[Switch], base: dict[str, str], expected: dict[str, str]) -> None:
    assert switch_off(switches, base) == expected


def test_the_base_is_left_alone() -> None:
    base = {EXCLUDED: "A"}
    switch_off([Excluded(("B",))], base)
    assert base == {EXCLUDED: "A"}


NAMES = st.lists(st.sampled_from("ABCDE"), min_size=1, max_size=3, unique=True).map(tuple)


@pytest.mark.parametrize("key", [EXCLUDED, AQE_EXCLUDED])
@given(st.lists(NAMES, max_size=4), NAMES)
def test_a_list_holds_every_name_of_the_base_and_of_the_switches_once(key, switched, given_names) -> None:
    result = switch_off([Excluded(names) for names in switched], {key: ",".join(given_names)})[key].split(",")
    assert sorted(result) == sorted({*given_names, *(name for names in switched for name in names)})
    assert tuple(result[: len(given_names)]) == given_names
