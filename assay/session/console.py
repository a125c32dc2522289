"""Where commands print."""

from __future__ import annotations

import sys

from rich.console import Console


def console(width: int = 150) -> Console:
    """A console of the terminal's width, or of ``width`` columns where there is no terminal."""
    return Console(width=None if sys.stdout.isatty() else width)
