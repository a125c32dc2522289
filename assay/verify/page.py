"""The tables of docs/reference/verified-rules.md: ``python -m assay.verify.page SUMMARY.json…`` adds runs to them.

Their figures are kept beside the page, a rule each, the last run of each. Without summaries the tables are made anew.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.fuzz.job_summary import table
from assay.session.ending import BadInput
from oracles.answers.atomic import write_json, write_text

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "verified-rules.md"
RESULTS = PAGE.with_suffix(".json")
_RULES = (
    *("rule", "verdict", "pairs", "comparisons", "lines run", "seconds", "differences", "queries", "databases"),
    "of its shape",
)
_MUTANTS = ("mutant", "verdict", "pairs", "comparisons", "seconds", "what its law needs")

_NOTHING = "\nNo run was added yet."

Results = Mapping[str, Any]
"""The figures: ``rules`` and ``mutants`` by name; a mutant that was not refuted may have a text ``needs``."""


def entry(summary: Mapping[str, Any], versions: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of one verification, from its part of ``--summary-json``."""
    coverage = summary["coverage"]
    found = {
        "verdict": summary["verdict"],
        "spark": versions["spark"],
        "queries": summary["queries"],
        "fired": summary["fired"],
        "pairs": summary["pairs"],
        "comparisons": summary["comparisons"],
        "blocks": [coverage["ran"], coverage["blocks"]] if coverage else None,
        "seconds": summary["seconds"],
        "excused": summary["excused"],
        "unexplained": summary["unexplained"],
        "reached": summary["briefly"],
        "databases": summary["databases"],
        "uncompared": summary["uncompared"],
        "shaped": summary["shaped"],
    }
    if "mutant_of" in summary:
        return {"mutant_of": summary["mutant_of"], **found}
    return found


def joined(known: Results, summaries: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """``known`` with the verifications of ``summaries``. A mutant that was refuted once stays refuted."""
    rules, mutants = dict(known["rules"]), dict(known["mutants"])
    for summary in summaries:
        for name, each in summary["rules"].items():
            mine = entry(each, summary)
            if "mutant_of" not in mine:
                rules[name] = mine
            elif mutants.get(name, {}).get("verdict") != "refuted" or mine["verdict"] == "refuted":
                needs = mutants.get(name, {}).get("needs")
                keep = {"needs": needs} if needs and mine["verdict"] != "refuted" else {}
                mutants[name] = {**mine, **keep}
    return {"rules": dict(sorted(rules.items())), "mutants": dict(sorted(mutants.items()))}


def rules_text(results: Results) -> str:
    """The table of Spark's rules, in Markdown."""
    if not results["rules"]:
        return _NOTHING
    return "\n".join(["", *table(_RULES, [_rule(*each) for each in results["rules"].items()])])


def _rule(name: str, each: Mapping[str, Any]) -> list[str]:
    ran, blocks = each["blocks"] or (0, 0)
    share = f"{ran * 100 // blocks} %" if blocks else "–"
    differences = [f"{count:,} {what}" for what, count in {**each["excused"], **each["unexplained"]}.items()]
    left = f", but for some in {each['uncompared']:,} layouts" if each["uncompared"] else ""
    return [
        f"`{name}`",
        each["verdict"],
        f"{each['pairs']:,}",
        f"{each['comparisons']:,}",
        share,
        f"{each['seconds']:.0f}",
        ", ".join(differences),
        each["reached"],
        f"{each['databases']}{left}",
        f"{each['shaped']['fired']:,} of {each['shaped']['queries']:,}" if each["shaped"] else "",
    ]


def mutants_text(results: Results) -> str:
    """How many planted rules were refuted, and the table of the others, in Markdown."""
    mutants = results["mutants"]
    if not mutants:
        return _NOTHING
    refuted = {name: each for name, each in mutants.items() if each["verdict"] == "refuted"}
    rest = [_mutant(name, each) for name, each in mutants.items() if name not in refuted]
    share = f"{len(refuted) * 100 // len(mutants)} %"
    small = sum(not (each["shaped"] and each["shaped"]["refuted"]) for each in refuted.values())
    times = sorted(each["seconds"] for each in refuted.values())
    middle = f"half of these within {times[len(times) // 2]:.0f} s" if times else "none"
    head = (
        f"{len(refuted):,} of {len(mutants):,} planted wrong rules are refuted ({share}), {middle}: {small:,} by "
        f"queries of the grammar, {len(refuted) - small:,} by queries of their shapes. The others:"
    )
    return "\n".join(["", head, "", *table(_MUTANTS, rest)])


def _mutant(name: str, each: Mapping[str, Any]) -> list[str]:
    numbers = (f"{each['pairs']:,}", f"{each['comparisons']:,}", f"{each['seconds']:.0f}")
    return [f"`{name}`", each["verdict"], *numbers, each.get("needs", "")]


def replaced(page: str, results: Results) -> str:
    """``page`` with the tables of ``results`` in place of what is between their marks."""
    for mark, text in (("rules", rules_text(results)), ("mutants", mutants_text(results))):
        page = _between(page, mark, f"{text}\n")
    return page


def _between(page: str, mark: str, text: str) -> str:
    pattern = re.compile(rf"(?<=<!-- {mark} -->\n).*?(?=<!-- /{mark} -->)", re.DOTALL)
    return pattern.sub(lambda _: text, page)


def load() -> Results:
    """The figures that are kept."""
    data: Results = json.loads(RESULTS.read_text(encoding="utf-8"))
    return data


def main(files: Sequence[str]) -> None:
    """Add the summaries in ``files`` to the figures, and write the tables anew; BadInput for another file."""
    summaries = [json.loads(Path(file).read_text(encoding="utf-8")) for file in files]
    for file, summary in zip(files, summaries, strict=True):
        if not isinstance(summary, dict) or not isinstance(summary.get("rules"), dict):
            raise BadInput(f"{file}: no summary of a verification")
    results = joined(load(), summaries)
    write_json(RESULTS, results)
    write_text(PAGE, replaced(PAGE.read_text(encoding="utf-8"), results))


if __name__ == "__main__":
    main(sys.argv[1:])
