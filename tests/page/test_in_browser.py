"""The page in a real browser: on a phone and on a desk, dark and light, without a network."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from assay.bench.figures import Moment
from assay.bench.loads import GROWTH
from assay.bench.measure import Grown
from assay.bench.page import write_page
from assay.commands.cli import main
from tests.page.browser import browser
from tests.unit.page_samples import HOSTILE, found, write_campaign

PHONE, DESK = (390, 844), (1280, 900)
WAYS = {
    f"{place}, {scheme}": (size, scheme)
    for place, size in (("phone", PHONE), ("desk", DESK))
    for scheme in ("light", "dark")
}
SECTIONS = ["summary", "findings", "coverage", "throughput", "mutants"]
_LIMIT = 120_000
"""Milliseconds that anything may take, on a machine that has other things to do."""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    executable, environment = browser()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=executable, args=["--no-sandbox"], env={**os.environ, **environment}, timeout=_LIMIT
        )
        yield started
        started.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a campaign with findings, one of them hostile, and mutants."""
    folder = write_campaign(tmp_path_factory.mktemp("page") / "campaign", found())
    assert main(["report", str(folder)]) == 0
    return folder / "page.html"


@dataclass(frozen=True)
class Opened:
    """A page in the browser, with whatever it complained of and asked for."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def ask(self, script: str) -> Any:
        """The value of an expression there."""
        return self.page.evaluate(script)

    def draw(self) -> None:
        """Go through the whole page, as a reader does, until all its charts are drawn."""
        for chart in self.page.locator("[data-chart]").all():
            chart.scroll_into_view_if_needed()
        expect(self.page.locator("[data-chart]:not([data-drawn])")).to_have_count(0, timeout=_LIMIT)


def opened(chromium: Browser, file: Path, size: tuple[int, int], scheme: str) -> Iterator[Opened]:
    """``file`` in a fresh window of ``size``."""
    context = chromium.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if scheme == "dark" else "light"
    )
    context.set_default_timeout(_LIMIT)
    one = Opened(context.new_page())
    one.page.on("console", lambda message: one.complaints.append(f"{message.type}: {message.text}"))
    one.page.on("pageerror", lambda error: one.complaints.append(str(error)))
    one.page.on("request", lambda request: one.requests.append(request.url))
    one.page.goto(file.as_uri())
    one.draw()
    yield one
    context.close()


@pytest.fixture(scope="module", params=WAYS.values(), ids=WAYS)
def seen(chromium: Browser, file: Path, request: pytest.FixtureRequest) -> Iterator[Opened]:
    """The page, in each way to look at it."""
    yield from opened(chromium, file, *request.param)


@pytest.fixture(scope="module")
def desk(chromium: Browser, file: Path) -> Iterator[Opened]:
    """The page on a desk, to be worked with."""
    yield from opened(chromium, file, DESK, "light")


@pytest.mark.one_in(4)
def test_nothing_goes_wrong_and_nothing_is_asked_for(seen: Opened, file: Path) -> None:
    """A hostile string that ran, or fetched, would be a complaint of the page's own policy at the least."""
    assert seen.complaints == []
    assert [url for url in seen.requests if not url.startswith("data:")] == [file.as_uri()]


def test_the_page_fits_its_window(seen: Opened) -> None:
    """A table that is wider is moved in its own place."""
    assert seen.ask("document.documentElement.scrollWidth - innerWidth") <= 0
    inside = "(place) => place.getBoundingClientRect().right <= innerWidth + 1"
    assert seen.ask(f"[...document.querySelectorAll('.card, .tiles li, h1, h2, pre')].every({inside})")


def test_every_section_is_there(seen: Opened) -> None:
    sections = seen.ask("[...document.querySelectorAll('section')].map((each) => [each.id, each.offsetHeight > 100])")
    assert sections == [[name, True] for name in SECTIONS]


def test_every_chart_is_drawn_in_colours_that_can_be_told_from_the_ground(seen: Opened) -> None:
    drawn = seen.ask(
        """[...document.querySelectorAll('[data-chart]')].map((place) => [
            place.dataset.chart,
            place.querySelectorAll('.scatterlayer .trace path, .barlayer .point path, .heatmaplayer image').length > 0,
            place.querySelector('.main-svg').getBoundingClientRect().height > 100,
        ])"""
    )
    assert len(drawn) == 11
    assert [name for name, *well in drawn if not all(well)] == []
    text = seen.ask("getComputedStyle(document.querySelector('[data-chart] .xtick text')).fill")
    assert text == seen.ask("getComputedStyle(document.querySelector('.soft')).color")


def test_light_and_dark_have_their_own_ground(seen: Opened) -> None:
    red, *_ = map(int, seen.ask("getComputedStyle(document.body).backgroundColor").strip("rgb()").split(","))
    assert (red < 128) == seen.ask("matchMedia('(prefers-color-scheme: dark)').matches")


def test_hostile_strings_are_read_as_they_are(seen: Opened) -> None:
    assert seen.ask("document.title").startswith("3 findings")
    assert seen.ask("document.images.length") == 0
    assert HOSTILE in seen.ask("document.querySelector('#findings').textContent")


def test_only_the_first_finding_is_open_and_a_link_opens_another(desk: Opened) -> None:
    is_open = "[...document.querySelectorAll('.finding > details')].map((each) => each.open)"
    assert desk.ask(is_open) == [True, False, False]
    desk.page.locator("#t-found a").nth(1).click()
    desk.page.locator(".finding > details[open]").nth(1).wait_for()
    assert desk.ask(is_open) == [True, True, False]


SHOWN = "document.querySelector('[data-chart=heat-map] .plot').data[0].z.flat().filter((each) => each !== null)"
"""The numbers that the heat map has a square for."""


def test_a_heat_map_has_other_views(desk: Opened) -> None:
    before = desk.ask(SHOWN)
    desk.page.get_by_role("button", name="changed / checks").click()
    desk.page.locator("[data-chart=heat-map][data-view='2']").wait_for()
    assert len(desk.ask(SHOWN)) > len(before)
    pressed = "[...document.querySelectorAll('.views button')].map((each) => each.getAttribute('aria-pressed'))"
    assert desk.ask(pressed) == ["false", "false", "true"]


def test_charts_follow_when_it_gets_dark(desk: Opened) -> None:
    """And what a reader chose to see stays."""
    before = desk.ask(SHOWN)
    desk.page.emulate_media(color_scheme="dark")
    desk.page.locator("[data-chart=heat-map][data-drawn=dark]").wait_for()
    assert desk.ask("getComputedStyle(document.querySelector('[data-chart=heat-map] .xtick text')).fill") == desk.ask(
        "getComputedStyle(document.querySelector('.soft')).color"
    )
    assert desk.ask(SHOWN) == before
    assert desk.complaints == []


@pytest.fixture(scope="module")
def bench_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bench's page, with all of its charts."""
    file = tmp_path_factory.mktemp("bench") / "page.html"
    moments = [Moment(60.0, 600, 2**27, 2**29), Moment(120.0, 1_200, 2**27, 2**30)]
    write_page(file, [Grown(load, (9.0, 10.0, 14.0)) for load in GROWTH], moments)
    return file


@pytest.mark.parametrize(("size", "scheme"), WAYS.values(), ids=WAYS)
def test_the_charts_of_the_bench_are_drawn(
    chromium: Browser, bench_file: Path, size: tuple[int, int], scheme: str
) -> None:
    for bench in opened(chromium, bench_file, size, scheme):
        lines = (
            "[...document.querySelectorAll('[data-chart]')].map((each) => each.querySelectorAll('.trace path').length)"
        )
        assert len(bench.ask(lines)) == 5
        assert all(bench.ask(lines))
        assert bench.complaints == []
        assert [url for url in bench.requests if not url.startswith("data:")] == [bench_file.as_uri()]
        assert bench.ask("document.documentElement.scrollWidth - innerWidth") <= 0
