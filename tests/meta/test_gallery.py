"""The gallery of docs: every known divergence has a result that shows it, and a page that holds all its parts."""

from __future__ import annotations

import copy
import html
import re

import pytest

from docs.gallery_pages import COMMAND, NO_TICKET, InvalidEntry, load, page, script, table
from oracles.triage import divergences, witness_results

ENTRIES = divergences.load()
STORED = witness_results.read()
PAGES = load()
IDS = [entry["id"] for entry, _ in PAGES]


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.id for entry in ENTRIES])
def test_an_entry_has_a_result_that_shows_it(entry):
    assert list(witness_results.faults(STORED, entry)) == []


def test_no_result_is_of_an_entry_that_is_gone():
    assert sorted(set(STORED) - {entry.id for entry in ENTRIES}) == []


def test_the_pages_name_the_command_that_stores_results():
    assert COMMAND == witness_results.COMMAND


def markdown(text: str) -> str:
    """A page's prose as a reader sees it."""
    return re.sub(r"\\(.)", r"\1", text)


@pytest.mark.parametrize(("entry", "results"), PAGES, ids=IDS)
def test_a_page_holds_its_parts(entry, results):
    text = page(entry, results)
    shown = markdown(text)
    witness = entry["witness"]
    newest = results[max(results, key=lambda name: [int(part) for part in re.findall(r"\d+", name)])]
    wanted = [
        f"# {entry['id']}\n",
        " ".join(entry["reason"].split()),
        entry["url"] or NO_TICKET,
        f"| the entry expires | {entry['expires'].isoformat()} |",
        *results,
    ]
    assert [part for part in wanted if part not in shown] == []
    code = [*witness["setup"], witness["query"].strip(), witness.get("instead", ""), *witness.get("settings", ())]
    assert [part for part in code if part not in text] == []
    seen = html.unescape(re.sub(r"</?mark>", "", text))
    lines = [line for side in ("query", "other") for line in newest[side]["plan"]]
    assert [line for line in lines if line not in seen] == []
    assert script(entry, newest_name(results)) in text


def newest_name(results):
    return max(results, key=lambda name: [int(part) for part in re.findall(r"\d+", name)])


@pytest.mark.parametrize(("entry", "results"), PAGES, ids=IDS)
def test_the_script_of_a_page_is_python(entry, results):
    assert compile(script(entry, newest_name(results)), entry["id"], "exec")


@pytest.mark.parametrize(("entry", "results"), PAGES, ids=IDS)
def test_the_rows_that_differ_are_marked(entry, results):
    answers = page(entry, results).partition("## Answers")[2].partition("## Plans")[0]
    assert '<tr class="differs">' in answers


def test_the_table_has_a_line_for_each_entry():
    lines = table(PAGES).splitlines()[2:]
    assert [re.findall(r"\{doc\}`([^`]+)`", line) for line in lines] == [[name] for name in IDS]


def test_pages_are_the_same_every_time():
    assert [page(*each) for each in load()] == [page(*each) for each in PAGES]


HOSTILE = (
    "</td></div><script>alert(1)</script>\n\n# Heading\n```\n````{raw} html\n<img src=x onerror=alert(2)>|`{doc}`[x](y)"
)


def hostile():
    """An entry and a result in which every text that a page shows is hostile."""
    entry, results = copy.deepcopy(next(each for each in PAGES if each[0]["id"] == "SPARK-58383"))
    entry |= {"reason": HOSTILE, "url": f"https://x/{HOSTILE}", "rules": [HOSTILE], "releases": [HOSTILE]}
    entry["witness"] |= {"setup": [HOSTILE], "query": HOSTILE, "settings": {HOSTILE: HOSTILE}}
    bad = {"columns": [HOSTILE], "rows": [[HOSTILE]], "plan": [f"A {HOSTILE}", "B"]}
    raised = {"error": HOSTILE, "condition": HOSTILE, "message": HOSTILE, "plan": []}
    result = {"query": bad, "other": raised, "tables": {HOSTILE: bad}, "witness": ""}
    return entry, dict.fromkeys(results, result)


def blocks(text):
    """The page without its fenced code: of what is left, no text is code's."""
    kept, fence = [], ""
    for line in text.splitlines():
        mark = re.match(r"(`{3,})", line)
        if mark and not fence:
            fence = mark[1]
        elif fence and line == fence:
            fence = ""
        elif not fence:
            kept.append(line)
    assert not fence
    return kept


def test_hostile_text_is_text():
    lines = blocks(page(*hostile()))
    assert [line for line in lines if re.search(r"(?<!\\)<(?:script|img)", line)] == []
    headings = ["Setup", "Query", "Settings of the other side", "Tables", "Answers", "Plans", "Script"]
    assert [line[3:] for line in lines if line.startswith("## ")] == headings
    assert [line for line in lines if line.startswith("# ")] == [r"# SPARK\-58383"]


def test_a_block_of_html_has_no_empty_line():
    """Markdown begins again behind one."""
    within = re.findall(r"(?ms)^<div class=\"gallery.*?^</div>|^<div class=\"gallery\">.*?</div>$", page(*hostile()))
    assert len(within) == 3
    assert [block for block in within if "\n\n" in block] == []


def test_hostile_text_is_data_in_the_script():
    entry, _ = hostile()
    assert compile(script(entry, None), "script", "exec")


@pytest.mark.parametrize("name", ["index", "../x", "a/b", "", "a b", "a`"])
def test_an_id_that_is_no_name_of_a_page_is_refused(name, tmp_path):
    file = tmp_path / "entries.toml"
    file.write_text(f'[[divergence]]\nid = "{name}"\n')
    with pytest.raises(InvalidEntry, match="can't be the name of a page"):
        load(file)


def test_an_entry_without_a_result_has_a_page_that_names_the_command():
    entry, _ = PAGES[0]
    assert f"{COMMAND} --only" in page(entry, {})
