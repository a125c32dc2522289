"""Progress display of a campaign: a table that is redrawn on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from assay.campaign.campaign_state import CampaignState
from oracles.answers.plural import duration_text

_EVERY_TERMINAL, _EVERY_PLAIN = 0.5, 30.0
_RECENT_SECONDS = 60.0


@dataclass(slots=True)
class Speed:
    """Checks a second over the last minute."""

    seen: deque[tuple[float, int]] = field(default_factory=deque)

    def of(self, now: float, checks: int) -> float:
        """Record the number of ``checks`` at time ``now``, and return the checks per second over the last minute."""
        self.seen.append((now, checks))
        while len(self.seen) > 2 and now - self.seen[0][0] > _RECENT_SECONDS:
            self.seen.popleft()
        since, before = self.seen[0]
        return (checks - before) / (now - since) if now > since else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The data of the display. ``under_way``: verdicts of unfinished rounds; ``at``: the task of each worker."""

    elapsed: float
    budget: float
    speed: float
    state: CampaignState
    under_way: Mapping[str, int]
    at: Iterable[str]

    @property
    def verdicts(self) -> Counter[str]:
        """The verdicts of finished and of unfinished rounds."""
        return self.state.verdicts + Counter(self.under_way)


def plain_line(shown: Shown) -> str:
    """The progress in one line."""
    state, verdicts = shown.state, shown.verdicts
    parts = [
        f"{verdicts.total()} checks",
        f"{shown.speed:.1f}/s",
        ", ".join(f"{name} {count}" for name, count in verdicts.most_common()),
        f"{len(state.reached)} rules",
        f"{len(state.pairs)} pairs",
        f"{len(state.plans)} plans",
        f"{len(state.findings)} findings",
        f"{state.incidents.total()} incidents" if state.incidents else "",
        f"{duration_text(shown.budget - shown.elapsed)} left",
    ]
    return " | ".join(part for part in parts if part)


def as_table(shown: Shown) -> Group:
    """The progress as a table with a bar for the time."""
    state, verdicts = shown.state, shown.verdicts
    table = Table.grid(padding=(0, 2))
    table.add_row("checks", f"{verdicts.total():,} ({shown.speed:.1f}/s), {state.rounds} rounds")
    table.add_row("verdicts", ", ".join(f"{name} {count:,}" for name, count in verdicts.most_common()) or "none yet")
    covered = f"{len(state.reached)} rules, {len(state.pairs):,} pairs, {len(state.plans):,} plans"
    table.add_row("covered", covered)
    table.add_row("findings", Text(str(len(state.findings)), style="bold red" if state.findings else ""))
    if state.incidents:
        table.add_row("incidents", ", ".join(f"{kind} {count}" for kind, count in state.incidents.items()))
    table.add_row("workers", "; ".join(shown.at))
    table.add_row("left", duration_text(shown.budget - shown.elapsed))
    return Group(table, ProgressBar(total=shown.budget, completed=min(shown.elapsed, shown.budget), width=60))


class Display:
    """Shows the progress of a campaign; a context manager, which restores the terminal when it ends."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = Live(console=console, transient=True, auto_refresh=False) if console.is_terminal else None
        self._last = 0.0

    def __enter__(self) -> Display:
        if self._live:
            self._live.start()
        self._last = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def is_due(self, now: float) -> bool:
        """True if the progress must be shown again."""
        return now - self._last >= (_EVERY_TERMINAL if self._live else _EVERY_PLAIN)

    def show(self, shown: Shown, now: float) -> None:
        """Show the progress: redraw the table, or print a line where there is no terminal."""
        self._last = now
        if self._live:
            self._live.update(as_table(shown), refresh=True)
        else:
            self.line(plain_line(shown))

    def line(self, text: str) -> None:
        """Print a line that stays on the screen, for an event."""
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)
