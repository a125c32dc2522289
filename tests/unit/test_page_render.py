"""The page as text: complete, the same again, and nothing in it that a finding's strings could have put there."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report.campaigns import read_campaigns
from assay.report.charts import figures_of
from assay.report.render import breakable, in_script, render, visible
from assay.report.sections import Page, page_of
from oracles.triage.divergences import load
from tests.unit.page_samples import HOSTILE, found, write_campaign


class Seen(HTMLParser):
    """A text as a browser reads it: elements with their attributes, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open.append(tag)
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "script":
            self.scripts[-1] += data
        elif not self._open or self._open[-1] != "style":
            self.texts.append(data)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    folder = write_campaign(tmp_path_factory.mktemp("page") / "campaign", found())
    return page_of(read_campaigns([folder], here=folder.parent), load())


@pytest.fixture(scope="module")
def text(page: Page) -> str:
    return render(page)


@pytest.fixture(scope="module")
def seen(text: str) -> Seen:
    return Seen(text)


def test_the_same_page_is_the_same_text(text: str, tmp_path: Path) -> None:
    again = read_campaigns([write_campaign(tmp_path / "campaign", found())], here=tmp_path)
    assert render(page_of(again, load())) == text


def test_hostile_strings_are_text_and_nothing_else(seen: Seen) -> None:
    """As a rule's name, a column's name, a value, in SQL, in plans, in a remark."""
    assert "".join(seen.texts).count(HOSTILE) >= 8
    assert len(seen.scripts) == 3
    assert [attributes for tag, attributes in seen.elements if tag == "img"] == []
    assert [name for _, attributes in seen.elements for name in attributes if name.startswith("on")] == []


def test_what_would_turn_the_text_around_is_written_out(text: str, seen: Seen) -> None:
    assert "\u202e" not in text
    assert "\0" not in text
    assert "a\\u202eb\\u0000c" in "".join(seen.texts)


def test_charts_are_data_that_can_be_read_again(page: Page, seen: Seen) -> None:
    assert json.loads(seen.scripts[0]) == json.loads(json.dumps(figures_of(page.charts)))
    assert list(figures_of(page.charts)) == [
        attributes["data-chart"] for _, attributes in seen.elements if "data-chart" in attributes
    ]


def test_a_browser_may_run_our_scripts_and_reach_for_nothing(seen: Seen) -> None:
    (policy,) = [
        attributes["content"]
        for _, attributes in seen.elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy is not None
    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert (parts["default-src"], parts["img-src"], len(parts["script-src"].split())) == ("'none'", "data: blob:", 2)
    assert "unsafe-inline" not in parts["script-src"]


def test_nothing_comes_from_elsewhere(seen: Seen) -> None:
    """Links lead elsewhere, to tickets; nothing is fetched."""
    fetched = [
        attributes[name] for _, attributes in seen.elements for name in ("src", "srcset", "data") if name in attributes
    ]
    assert fetched == []
    assert [attributes for tag, attributes in seen.elements if tag in ("link", "iframe", "object", "base")] == []


def test_every_link_within_the_page_has_its_place(seen: Seen) -> None:
    links = {attributes["href"] for tag, attributes in seen.elements if tag == "a"}
    places = {f"#{attributes['id']}" for _, attributes in seen.elements if "id" in attributes}
    assert {link for link in links if link and link.startswith("#")} <= places


def test_ids_are_of_one_element_each(seen: Seen) -> None:
    ids = [attributes["id"] for _, attributes in seen.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def test_what_was_found_comes_before_what_was_covered(text: str) -> None:
    order = [
        text.index(f'<section id="{name}">') for name in ("summary", "findings", "coverage", "throughput", "mutants")
    ]
    assert order == sorted(order)


def test_a_page_of_nothing(tmp_path: Path) -> None:
    (tmp_path / "ledger").mkdir()
    seen = Seen(render(page_of(read_campaigns([tmp_path]), load())))
    told = " ".join("".join(seen.texts).split())
    assert "Nothing was checked" in told
    assert seen.scripts[0] == "{}"


@given(st.dictionaries(st.text(), st.text() | st.lists(st.integers() | st.none(), max_size=3), max_size=3))
def test_json_in_a_script_has_no_sign_that_html_knows(value: Any) -> None:
    text = in_script(value)
    assert json.loads(text) == value
    assert not re.search("[<>&]", text)


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_json_has_no_nan(number: str) -> None:
    with pytest.raises(ValueError, match="Out of range"):
        in_script(float(number))


VISIBLE = {
    "letters of all kinds": ("aé中😀 ×", "aé中😀 ×"),
    "lines and tabs": ("a\n\tb", "a\n\tb"),
    "what turns around": ("a\u202eb\u2066", "a\\u202eb\\u2066"),
    "what is no character": ("\ud800 \ufffe \U0010ffff", "\\ud800 \\ufffe \\U0010ffff"),
    "controls": ("\0 \r \x1b \x7f", "\\u0000 \\u000d \\u001b \\u007f"),
    "separators that are no line ends here": ("\u2028 \u2029", "\\u2028 \\u2029"),
}


@pytest.mark.parametrize(("text", "shown"), VISIBLE.values(), ids=VISIBLE)
def test_what_nobody_can_see_is_written_out(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_long_name_may_go_on_in_the_next_line_and_is_text_all_the_same() -> None:
    assert breakable("CombineFilters, A<b>CD") == "Combine<wbr>Filters, A&lt;b&gt;CD"
    assert breakable("aB\u202e") == "a<wbr>B\\u202e"


@given(st.text())
def test_all_that_is_visible_can_be_written_to_a_file(text: str) -> None:
    assert visible(text).encode().decode() == visible(text)
