"""Messages of other programs as one line: no line breaks, and none of a terminal's codes."""

from __future__ import annotations

import logging
import re

logging.getLogger("sqlglot").setLevel(logging.ERROR)
"""sqlglot warns on standard error of each text that it takes for a command."""

_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def one_line(what: object, width: int = 160) -> str:
    """``what`` as text of at most ``width`` characters in one line; sqlglot underlines with codes of a terminal."""
    return " ".join(_TERMINAL.sub("", str(what)).split())[:width]
