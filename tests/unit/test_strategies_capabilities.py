"""Drawn capabilities of tables of the source "v2"."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import strategies as st

from strategies.draw.capabilities import ACCEPTED, LAYOUTS, draw_capabilities
from strategies.ir import CAPABILITIES, Capability, Settings, from_plain, to_plain
from tests.unit.strategy_asserts import assert_all_examples, find_any, minimal


@st.composite
def _capabilities(draw: st.DrawFn, *, to_write: bool = False) -> tuple[Capability, ...]:
    return draw_capabilities(draw, to_write=to_write)


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_each_capability_is_drawn(capability: Capability) -> None:
    to_write = capability == "deletes"
    assert capability in find_any(_capabilities(to_write=to_write), lambda found: capability in found)


def test_tables_that_are_read_delete_no_rows() -> None:
    assert_all_examples(_capabilities(), lambda found: "deletes" not in found, count=60)


def test_they_shrink_to_none() -> None:
    assert minimal(_capabilities(), lambda _: True) == ()
    assert minimal(_capabilities(to_write=True), lambda _: True) == ()


def test_no_two_draws_differ_in_the_order_alone() -> None:
    assert len({frozenset(each) for each in (*ACCEPTED, *LAYOUTS[1:])}) == len(ACCEPTED) + len(LAYOUTS) - 1


def test_settings_with_capabilities_survive_their_file() -> None:
    settings = Settings("v2", capabilities=("filters", "identity"))
    assert from_plain(to_plain(settings)) == settings
    assert eval(repr(settings), {"Settings": Settings}) == settings


def test_settings_of_files_from_before_them_have_none() -> None:
    plain = to_plain(Settings())
    del plain["capabilities"]
    assert from_plain(plain) == Settings()


def test_tables_of_the_source_are_read_on_the_fast_path_too_and_plans_depend_on_their_rows() -> None:
    settings = Settings("v2", capabilities=("identity",))
    assert (settings.is_quick, settings.plans_by_rows) == (True, True)
    assert not replace(settings, aqe=True).is_quick
    assert not Settings("orc").is_quick
    assert not Settings().plans_by_rows
