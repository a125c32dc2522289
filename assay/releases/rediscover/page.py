"""The table of known bugs in docs/releases.md: ``python -m assay.releases.rediscover.page`` writes it anew."""

from __future__ import annotations

import re
from pathlib import Path

from assay.releases.matrix.table import markdown
from assay.releases.rediscover.tickets import Benchmark, Ticket, load
from oracles.answers.atomic import write_text

PAGE = Path(__file__).resolve().parents[3] / "docs" / "releases.md"
_TABLE = re.compile(r"(?<=<!-- tickets -->\n).*?(?=<!-- /tickets -->)", re.DOTALL)
_HEAD = ("ticket", "bug", "on", "the check of its witness", "campaigns", "not drawn")


def figures(benchmark: Benchmark) -> str:
    """How many tickets show on each tried release, and how many of these the checks of their witnesses find."""
    lines = []
    for release in benchmark.tried:
        there = [each for each in benchmark.tickets if release in each.releases]
        found = sum(release in each.found for each in there)
        drawn = [each for each in there if not each.needs]
        found_drawn = sum(release in each.found for each in drawn)
        lines.append([release, str(len(there)), str(found), str(len(drawn)), str(found_drawn)])
    head = ["release", "tickets that show", "found", "all that they take is drawn", "of these found"]
    return markdown(head, lines)


def text(benchmark: Benchmark) -> str:
    """The figures and the table, in Markdown."""
    return f"\n{figures(benchmark)}\n{markdown(_HEAD, map(_row, benchmark.tickets))}\n"


def _row(ticket: Ticket) -> list[str]:
    return [
        f"[{ticket.id}]({ticket.url})",
        ticket.title,
        ", ".join(ticket.releases),
        _checked(ticket),
        ticket.met or "not met",
        ticket.needs,
    ]


def _checked(ticket: Ticket) -> str:
    if ticket.why_not:
        return f"no witness: {ticket.why_not}"
    results = dict.fromkeys(ticket.found.values())
    told = [(result, [release for release, its in ticket.found.items() if its == result]) for result in results]
    parts = [result if len(told) == 1 else f"{result} ({', '.join(releases)})" for result, releases in told]
    return "; ".join([*parts, f"missed: {ticket.missed}"] if ticket.missed else parts)


def replaced(page: str, table: str) -> str:
    """``page`` with ``table`` in place of what is between its marks."""
    return _TABLE.sub(lambda _: table, page)


if __name__ == "__main__":
    write_text(PAGE, replaced(PAGE.read_text(encoding="utf-8"), text(load())))
