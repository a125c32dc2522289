"""The printed result of a verification: the counterexample, and what exactly was enumerated and compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from assay.verify.bound import Part
from assay.verify.grammar import Level
from assay.verify.pairs import Enumerated
from assay.verify.verification import Verification
from oracles.answers.plural import number
from oracles.rules.catalogue import short_name
from strategies.ir import INT, type_text

_COLOURS = {"verified": "green", "refuted": "red", "never fired": "yellow", "undecided": "yellow"}


def print_verification(console: Console, result: Verification) -> None:
    """Print one result: the counterexample first, the verdict last."""
    for text in result.counterexamples:
        console.print(Text(text), soft_wrap=True)
        console.print()
    where = f"@{result.point}" if result.point else ""
    lines = [Text(headline(result), style="bold"), *map(Text, notes(result))]
    title = f"{result.rule}{where}: {result.outcome}"
    console.print(Panel(Text("\n").join(lines), title=title, border_style=_COLOURS[result.outcome]))
    for line in result.coverage.lines() if result.coverage else ():
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def headline(result: Verification) -> str:
    """The verdict in one line."""
    if result.outcome == "never fired":
        finder = result.finder
        if finder.fired:
            return (
                f"never changed the executed plan of any of {finder.queries:,} queries, {finder.fired:,} of which it "
                "fired on: nothing is known about this rule"
            )
        return f"never fired on any of {finder.queries:,} queries: nothing is known about this rule"
    pairs = f"{number(result.pairs, 'pair')} of plans"
    if result.shaped and result.shaped.refuted:
        return f"refuted by a query of its shape, after {result.seconds:,.0f} s"
    if result.outcome == "refuted":
        return f"refuted, after {result.compared:,} comparisons of {pairs} in {result.seconds:,.0f} s"
    rest = len(result.sweeps) - result.pairs
    pairs += f" ({rest:,} more had no rows)" if rest else ""
    compared = f"{pairs} × {databases_text(result)}: {result.compared:,} comparisons in {result.seconds:,.0f} s"
    if not result.sweeps and result.shaped:
        return (
            "undecided: no query of the grammar shows it, and those of its shape, which are no bound, had no difference"
        )
    if result.outcome == "verified":
        return f"verified up to the bound below: {compared}, no difference"
    return f"undecided: {compared}"


def databases_text(result: Verification) -> str:
    """The databases that all pairs with rows were run over."""
    left = [rows for sweep in result.sweeps if sweep.compared and (rows := sweep.next_rows) is not None]
    whole = f"all databases of at most {number(result.bound.rows, 'row')} a table"
    if not left:
        return whole
    done = result.pairs - len(left)
    fewest = f"all databases of at most {number(min(left) - 1, 'row')} in all" if min(left) else "some databases"
    return f"{fewest}{f' ({done:,} of the pairs × {whole})' if done else ''}"


def notes(
    result: Verification, *, more_pairs: str = "see --pairs, --budget", more_time: str = "see --pairs, --budget"
) -> Iterator[str]:
    """The bound that was reached, and what is known of the comparisons.

    ``more_pairs`` and ``more_time`` say how the command at hand gets further where these ended the enumeration.
    """
    finder = result.finder
    yield f"queries: {enumerated_text(finder.stages)}"
    if not finder.complete and not result.findings:
        full = len(result.sweeps) >= result.bound.pairs
        limit = f"{result.bound.pairs:,} pairs: {more_pairs}" if full else f"the time: {more_time}"
        yield "an incident ended the enumeration" if result.cut_off else f"the enumeration ended at {limit}"
        if result.unbegun:
            yield f"found and not run: {number(result.unbegun, 'more pair')} of these queries"
    alike = f"; the executed plans were the same on {finder.alike:,}, and those of an earlier query on "
    fired = f"fired on {finder.fired:,} of {finder.queries:,} queries"
    yield f"{fired}{alike}{finder.repeated:,}" if finder.fired else fired
    if result.sweeps and not result.findings:
        layouts = "in one partition, and with a partition for each row" if result.bound.rows > 1 else "in one partition"
        yield f"tables {layouts}; DuckDB answered over {result.sampled:,} of the databases, too"
    if finder.rule.tracked_as:
        yield (
            f"it is a part of {short_name(finder.rule.tracked_as)}, which is off with it: fired counts that rule, and "
            f"{finder.foreign:,} pairs of plans on which this part changed nothing are left out"
        )
    if finder.unplanned:
        yield f"{finder.unplanned:,} queries can't be planned by this Spark, with the rule or without"
    if result.uncompared:
        yield (
            f"{result.uncompared:,} pairs, in one of their layouts, have a plan that can't be made, or that raises or "
            "needs Spark jobs over some databases: of these one was checked for each, and one over which it is one plan"
        )
    if result.endless:
        yield f"{number(result.endless, 'pair')}, in one layout, did not end over some database: run were those before"
    for what, counts in (
        ("excused by the known divergence", result.excused),
        ("unexplained:", result.unexplained),
        ("of another cause:", result.others),
    ):
        yield from (f"{count:,} differences {what} {name}" for name, count in sorted(counts.items()))
    if result.files:
        yield f"on disk: {', '.join(map(str, result.files))}"
    if result.lost:
        yield f"{result.lost:,} calls were lost to incidents"
    if result.shaped:
        yield result.shaped.line()
    if result.proofs:
        yield from result.proofs.lines()
    if result.coverage and not result.coverage.is_broken:
        ran, blocks = len(result.coverage.ran), len(result.coverage.part.blocks)
        yield f"{ran * 100 // max(blocks, 1)} % of the rule's code ran"


def enumerated_text(stages: Sequence[Enumerated]) -> str:
    """The levels of which all queries were enumerated, by what they are enumerated for; of the last ones how many."""
    own = [each for each in stages if set(each.stage.schema.types) == {INT}]
    whole = _complete(own, "all", "others")
    parts = [_all_of(whole), _all_of(_complete(own, "named") - whole, f"{_NAMED}, ")]
    kinds: dict[frozenset[Level], list[str]] = {}
    for kind in dict.fromkeys(_columns(each) for each in stages if each not in own):
        reached = _complete([each for each in stages if _columns(each) == kind], "all")
        kinds.setdefault(frozenset(reached), []).append(kind)
    parts += [_all_of(reached, f"over {' and '.join(names)}, ") for reached, names in kinds.items()]
    parts += [
        f"the first {each.queries:,} of {_level(each.stage.level)} over {_columns(each)}{_WITH[each.stage.part]}"
        for each in stages
        if not each.complete
    ]
    return "; ".join(filter(None, parts)) or "none"


def enumerated_briefly(stages: Sequence[Enumerated]) -> str:
    """The levels of which all queries were enumerated: ``1+2`` for an operator with at most two further parts."""
    own = [each for each in stages if set(each.stage.schema.types) == {INT}]
    others = [each for each in stages if each not in own]
    whole = _complete(own, "all", "others")
    groups = (("", whole), ("rule's operators ", _complete(own, "named") - whole), ("types ", _complete(others, "all")))
    told = [f"{head}{_most_parts(reached)}" for head, reached in groups if reached]
    return "; ".join(told) or "none"


def _most_parts(reached: Set[Level]) -> str:
    return ", ".join(f"{number}+{parts}" for number, parts in sorted(_most(reached).items()))


def _most(reached: Set[Level]) -> dict[int, int]:
    return {level.operators: level.parts for level in sorted(reached)}


_NAMED = "with operators that the rule names and no others"
_WITH = {"all": "", "named": f", {_NAMED}", "others": ", with other operators or none that the rule names"}


def _complete(stages: Iterable[Enumerated], *parts: Part) -> set[Level]:
    """The levels of which one of the ``parts`` was enumerated, over all columns."""
    mine = [each for each in stages if each.stage.part in parts]
    return {each.stage.level for each in mine if each.complete} - {
        each.stage.level for each in mine if not each.complete
    }


def _all_of(reached: Set[Level], of: str = "") -> str:
    parts = [
        f"{number(operators, 'operator')} with at most {number(count, 'further part')}"
        for operators, count in _most(reached).items()
    ]
    return f"{of}all of {', of '.join(parts)}" if parts else ""


def _level(level: Level) -> str:
    return f"{number(level.operators, 'operator')} with {number(level.parts, 'further part')}"


def _columns(each: Enumerated) -> str:
    return f"({', '.join(map(type_text, each.stage.schema.types))})"
