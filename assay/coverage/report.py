"""The coverage of a run as tables for the terminal, and as the summary's JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from rich.table import Table

from assay.coverage.lines import as_text, never_run, partly_run
from assay.coverage.measure import Ran
from assay.coverage.parts import Part
from assay.coverage.sources import Source
from assay.session.console import table
from oracles.engines.spark.probes import Block

_POINTS = 100
"""Points of the curve over cases."""


@dataclass(frozen=True, slots=True)
class BlockCoverage:
    """The coverage of ``parts``, whose blocks are among ``blocks``, by the cases of each source."""

    blocks: Sequence[Block]
    parts: Sequence[Part]
    by_source: Mapping[Source, Ran] = field(default_factory=dict)

    @property
    def ran(self) -> set[int]:
        """The blocks of ``parts`` that some case ran, computed from all counters at each access."""
        ran = set[int]().union(*(own.cases_of for own in self.by_source.values()))
        return {number for part in self.parts for number in part.ran(ran)}

    def of(self, source: Source) -> Ran:
        """The blocks that the cases of ``source`` ran; empty if there were no cases."""
        return self.by_source.get(source, Ran())

    def named(self, names: Iterable[str]) -> BlockCoverage:
        """The coverage of the parts called ``names`` alone."""
        chosen = set(names)
        return BlockCoverage(self.blocks, [part for part in self.parts if part.name in chosen], self.by_source)

    @property
    def curve(self) -> list[tuple[int, int]]:
        """Cases so far and blocks of ``parts`` that they ran, at some hundred places; sources one after the other."""
        wanted = {number for part in self.parts for number in part.blocks}
        seen, points = set[int](), list[tuple[int, int]]()
        every = [new for own in self.by_source.values() for new in own.new]
        step = max(1, len(every) // _POINTS)
        for cases, new in enumerate(every, 1):
            seen |= wanted.intersection(new)
            if cases % step == 0 or cases == len(every):
                points.append((cases, len(seen)))
        return points


def totals_text(coverage: BlockCoverage, seconds: float) -> list[str]:
    """A line for each source, and for all of them together."""
    every_ran = coverage.ran
    wanted = {number for part in coverage.parts for number in part.blocks}
    reachable = len(wanted - ({number for part in coverage.parts for number in part.unreachable} - every_ran))
    lines = []
    for source, own in coverage.by_source.items():
        ran = len(wanted & own.cases_of.keys())
        verdicts = ", ".join(f"{count:,} {name}" for name, count in own.verdicts.most_common())
        lines.append(f"{source}: {own.cases:,} cases ran {ran:,} blocks, {percent(ran, reachable)} ({verdicts})")
    cases = sum(own.cases for own in coverage.by_source.values())
    lines.append(f"all: {cases:,} cases in {seconds:.0f} s ran {share_text(coverage.parts, every_ran)}")
    return lines


def share_text(parts: Sequence[Part], ran: Set[int]) -> str:
    """The share of the blocks of ``parts`` that are among ``ran``, of all and of those that a query can run."""
    wanted = {number for part in parts for number in part.blocks}
    unreachable = {number for part in parts for number in part.unreachable} - ran
    shares = [part.share(ran) for part in parts if part.is_rule and part.is_drawn]
    rules = [share for share in shares if share is not None]
    middle = f"; half of the rules at {100 * median(rules):.0f} % or more" if len(rules) > 1 else ""
    count = len(wanted & ran)
    return (
        f"{count:,} of {len(wanted):,} blocks, {percent(count, len(wanted))}; "
        f"{percent(count, len(wanted) - len(unreachable))} without the {len(unreachable):,} that no query of Assay's "
        f"can run{middle}"
    )


def rules_table(coverage: BlockCoverage) -> Table:
    """The parts by the number of their blocks that never ran, the most first; with the blocks of each source."""
    ran = coverage.ran
    parts = sorted(coverage.parts, key=lambda part: (-len(part.missing(ran)), part.name))
    head = ("rule", "blocks", "ran", "share", *coverage.by_source, "unreachable", "missing")
    return table("blocks by rule", head, (_row(part, coverage, ran) for part in parts))


def _row(part: Part, coverage: BlockCoverage, ran: Set[int]) -> list[str]:
    return [
        part.title,
        str(len(part.blocks)),
        str(len(part.ran(ran))),
        part.percent(ran),
        *(str(len(part.ran(own.cases_of))) for own in coverage.by_source.values()),
        str(len(part.unreachable.keys() - ran)),
        str(len(part.missing(ran))),
    ]


def lines_text(part: Part, ran: Set[int]) -> list[str]:
    """The lines of ``part`` that never ran, a line of text for each source file; none if there are none."""
    missing = part.missing(ran)
    told = []
    whole = never_run(part.blocks, part.ran(ran), missing)
    partly = partly_run(part.blocks, part.ran(ran), missing)
    for file in sorted({*whole, *partly}):
        texts = []
        if file in whole:
            single = len(whole[file]) == 1 and whole[file][0][0] == whole[file][0][1]
            texts.append(f"line{'' if single else 's'} {as_text(whole[file])} of {file} never ran")
        if file in partly:
            lines = as_text((line, line) for line in partly[file])
            texts.append(f"in part: {lines}" + ("" if file in whole else f" of {file}"))
        told.append(f"{part.name}: {'; '.join(texts)}")
    return told


def reasons_table(coverage: BlockCoverage) -> Table:
    """The reasons why blocks cannot run, with the number of blocks for each."""
    ran, counts, names = coverage.ran, Counter[str](), dict[str, set[str]]()
    for part in coverage.parts:
        for number in part.unreachable.keys() - ran:
            why = part.unreachable[number]
            counts[why] += 1
            names.setdefault(why, set()).add(part.name)
    rows = ((why, str(count), _some(sorted(names[why]))) for why, count in counts.most_common())
    return table("no query of Assay's can run", ("because", "blocks", "of"), rows, left=(0, 2))


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:6]) + (" ..." if len(names) > 6 else "")


def summary(coverage: BlockCoverage) -> dict[str, Any]:
    """The coverage in ``--summary-json``: by rule, with the lines that never ran, and all blocks for other tools."""
    ran = coverage.ran
    return {
        "blocks": sum(len(part.blocks) for part in coverage.parts),
        "ran": len(ran),
        "unreachable": sum(len(part.unreachable.keys() - ran) for part in coverage.parts),
        "sources": {
            source: {
                "cases": own.cases,
                "verdicts": dict(sorted(own.verdicts.items())),
                "ran": sum(len(part.ran(own.cases_of)) for part in coverage.parts),
            }
            for source, own in coverage.by_source.items()
        },
        "curve": [list(point) for point in coverage.curve],
        "rules": {part.name: _part_summary(part, coverage, ran) for part in coverage.parts},
        "methods": _methods(coverage, ran),
    }


def _part_summary(part: Part, coverage: BlockCoverage, ran: Set[int]) -> dict[str, Any]:
    share = part.share(ran)
    return {
        "rule": part.is_rule,
        "blocks": len(part.blocks),
        "ran": len(part.ran(ran)),
        **{source: len(part.ran(own.cases_of)) for source, own in coverage.by_source.items()},
        "unreachable": len(part.unreachable.keys() - ran),
        "share": None if share is None else round(share, 4),
        "never_run": {
            file: [list(each) for each in ranges]
            for file, ranges in never_run(part.blocks, part.ran(ran), part.missing(ran)).items()
        },
    }


def _methods(coverage: BlockCoverage, ran: Set[int]) -> list[dict[str, Any]]:
    """Each method's blocks in order: their lines, in how many cases each ran, and why one that didn't run can't."""
    cases_of = sum((own.cases_of for own in coverage.by_source.values()), Counter[int]())
    methods: dict[tuple[str, str], dict[str, Any]] = {}
    for part in coverage.parts:
        for number, block in part.blocks.items():
            key = (block.key.class_name, block.key.method)
            if key not in methods:
                head = {"rule": part.name, "class": key[0], "method": key[1], "file": block.file}
                methods[key] = {**head, "lines": [], "cases": [], "unreachable": {}}
            method = methods[key]
            if number in part.unreachable and number not in ran:
                method["unreachable"][str(len(method["cases"]))] = part.unreachable[number]
            method["lines"].append(list(block.lines))
            method["cases"].append(cases_of[number])
    return list(methods.values())


def percent(part: int, whole: int, digits: int = 1) -> str:
    """``part`` as a percentage of ``whole``, with ``digits`` after the point; a dash if ``whole`` is 0."""
    return f"{100 * part / whole:.{digits}f} %" if whole else "-"
