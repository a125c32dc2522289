"""The bench's tables, as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console

from assay.bench.figures import Moment, Spread, tenth_memory, tenth_rates
from assay.bench.measure import Grown, Turns
from assay.bench.messages import RoundResult
from assay.bench.phases import PHASES, Phase
from assay.session.console import table

GOALS = {
    "fast_over_naive": "≥ 25",
    "databases_over_naive": "≥ 70",
    "check_over_catalyst": "≤ 2.2",
    "two_workers_over_one": "≥ 1.4",
    "last_tenth_over_second": "≥ 0.95",
}
_MEBI = 2**20


def print_figures(console: Console, measured: Mapping[str, Spread | float | None]) -> None:
    """Print the figures of the summary, each with its spread over the rounds."""

    def shown(value: Spread | float | None) -> str:
        return value.text(".2f") if isinstance(value, Spread) else "not measured" if value is None else f"{value:.2f}"

    rows = ((name, shown(value), GOALS.get(name, "")) for name, value in measured.items())
    console.print(table("ratios: median (least … most) over the rounds", ("figure", "measured", "goal"), rows))


def print_turns(console: Console, turns: Turns) -> None:
    """Print the cost of a check in each harness, and by phase."""
    columns: dict[str, Sequence[RoundResult]] = {str(name): each for name, each in turns.done.items()}
    if turns.several:
        columns["fast, several databases"] = turns.several
    made = table("a check: median (least … most) over the rounds", ("", *columns))
    rows = [
        ("checks/s", lambda done: len(done.seen) / done.cost.seconds, ".1f"),
        ("databases/s", lambda done: done.databases / done.cost.seconds, ".1f"),
        ("ms", lambda done: done.cost.seconds / len(done.seen) * 1e3, ".1f"),
        ("ms of processors", lambda done: done.cost.processor_seconds / len(done.seen) * 1e3, ".1f"),
        ("  of Python's process", lambda done: done.cost.python_seconds / len(done.seen) * 1e3, ".1f"),
        ("  of the JVM", lambda done: done.cost.jvm_seconds / len(done.seen) * 1e3, ".1f"),
        ("MB of Python's process", lambda done: done.cost.python_memory / _MEBI, ".0f"),
        ("MB of the JVM", lambda done: done.cost.jvm_memory / _MEBI, ".0f"),
    ]
    for title, figure, form in rows:
        made.add_row(title, *(_spread(map(figure, each), form) for each in columns.values()))
    made.add_section()
    for phase in PHASES:
        made.add_row(f"ms {phase}", *(_spread((_ms(d, phase) for d in each), ".2f") for each in columns.values()))
    made.add_row("ms besides", *(_spread(map(_besides, each), ".2f") for each in columns.values()))
    console.print(made)
    floors = Spread.of(floor * 1e3 for floor in turns.floors if floor is not None)
    if floors:
        console.print(
            f"Spark's own parsing, one analysis, two optimizations and plans: {floors.text('.2f')} ms a check"
        )
    if turns.excused:
        console.print(f"{turns.excused} checks show a known divergence on some harnesses' plans only")


def _ms(done: RoundResult, phase: Phase) -> float:
    return done.phases.get(phase, 0.0) / len(done.seen) * 1e3


def _besides(done: RoundResult) -> float:
    return (done.cost.seconds - sum(done.phases.values())) / len(done.seen) * 1e3


def _spread(values: Iterable[float], form: str) -> str:
    spread = Spread.of(values)
    return spread.text(form) if spread else ""


def print_growth(console: Console, grown: Sequence[Grown]) -> None:
    """Print checks per second by size."""
    kinds = ("rows", "operators", "columns")
    head = [name for kind in kinds for name in (kind, "checks/s")]
    made = table("growth of the fast path: checks/s, median (least … most)", head, left=())
    columns = [[one for one in grown if one.load.kind == kind] for kind in kinds]
    for line in range(max(map(len, columns))):
        cells = []
        for column in columns:
            one = column[line] if line < len(column) else None
            cells += [f"{one.load.size:,}", _spread(one.rates, ".1f")] if one else ["", ""]
        made.add_row(*cells)
    console.print(made)


def print_long_run(console: Console, moments: Sequence[Moment]) -> None:
    """Print the checks per second and the memory in each tenth of a long run."""
    rates, memory = tenth_rates(moments), tenth_memory(moments)
    rows = (
        (str(number + 1), f"{rate:.1f}", f"{memory[number] / _MEBI:.0f}" if memory else "")
        for number, rate in enumerate(rates)
    )
    title = f"long run of {moments[-1].seconds:.0f} s, {moments[-1].checks:,} checks"
    console.print(table(title, ("tenth", "checks/s", "MB in use"), rows, left=()))


def print_as_drawn(console: Console, done: Sequence[RoundResult], over_naive: Spread | None) -> None:
    """Print checks per second for cases as a fuzz run draws them, including those on the plain path."""
    spread = Spread.of(len(each.seen) / each.cost.seconds for each in done)
    if spread:
        beside = f", {over_naive.text('.1f')} times the naive harness" if over_naive else ""
        console.print(
            f"as a fuzz run draws them, those on the plain path among them: {spread.text('.1f')} checks/s{beside}"
        )
