"""Lines of source files that never ran, as one writes them: ``31-34, 40``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from oracles.engines.spark.probes import Block

Range = tuple[int, int]


def never_run(blocks: Mapping[int, Block], ran: Collection[int], missing: Collection[int]) -> dict[str, list[Range]]:
    """By source file, the ranges of lines that hold blocks of ``missing`` and none that ``ran``.

    A range goes on over lines without code; blocks that are neither missing nor have run count as no code.
    """
    bad, good = _lines(blocks, missing), _lines(blocks, ran)
    return {file: found for file in sorted(bad) if (found := _ranges(bad[file], good.get(file, set())))}


def partly_run(blocks: Mapping[int, Block], ran: Collection[int], missing: Collection[int]) -> dict[str, list[int]]:
    """By source file, the lines of which some blocks ran, and some of ``missing`` did not."""
    bad, good = _lines(blocks, missing), _lines(blocks, ran)
    return {file: both for file in sorted(bad) if (both := sorted(bad[file] & good.get(file, set())))}


def as_text(ranges: Iterable[Range]) -> str:
    """``31-34, 40``."""
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)


def _lines(blocks: Mapping[int, Block], numbers: Collection[int]) -> dict[str, set[int]]:
    lines: dict[str, set[int]] = {}
    for number in numbers:
        lines.setdefault(blocks[number].file, set()).update(blocks[number].lines)
    return lines


def _ranges(bad: set[int], good: set[int]) -> list[Range]:
    ranges: list[Range] = []
    goes_on = False
    for line in sorted(bad | good):
        if line in good:
            goes_on = False
        elif goes_on:
            ranges[-1] = (ranges[-1][0], line)
        else:
            ranges.append((line, line))
            goes_on = True
    return ranges
