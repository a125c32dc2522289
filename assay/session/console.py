"""The console that commands print to, and their tables."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

from rich.console import Console, JustifyMethod, RenderableType
from rich.table import Table

WIDTH = 150


def console(width: int = WIDTH) -> Console:
    """A console of the terminal's width, or of ``width`` columns where there is no terminal."""
    return Console(width=None if sys.stdout.isatty() else width)


def table(
    title: str,
    head: Sequence[str],
    rows: Iterable[Sequence[RenderableType]] = (),
    *,
    left: Collection[int] = (0,),
    title_justify: JustifyMethod = "center",
) -> Table:
    """A table whose columns are numbers, aligned to the right, but for those whose places are in ``left``."""
    made = Table(title=title, title_justify=title_justify)
    for place, name in enumerate(head):
        made.add_column(name, justify="left" if place in left else "right")
    for row in rows:
        made.add_row(*row)
    return made


@contextmanager
def told_if_unwritten(printed: Console, option: str, path: Path) -> Iterator[None]:
    """Print one line where the file of ``option`` can't be written: what the run found is printed all the same."""
    try:
        yield
    except OSError as error:
        line = f"{option} {path}: can't be written: {error.strerror}"
        printed.print(line, highlight=False, markup=False, soft_wrap=True)


def text_of(*parts: Table | str) -> str:
    """Tables and lines as plain text; a line is never broken."""
    file = StringIO()
    printed = Console(file=file, width=WIDTH, color_system=None)
    for part in parts:
        printed.print(part, highlight=False, markup=False, soft_wrap=isinstance(part, str))
    return file.getvalue()
