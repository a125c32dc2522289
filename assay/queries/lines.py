"""Messages of other programs as one line: no line breaks, and none of a terminal's codes."""

from __future__ import annotations

import logging
import re

logging.getLogger("sqlglot").setLevel(logging.ERROR)
"""sqlglot warns on standard error of each text that it takes for a command."""

_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_EXCEPTION = re.compile(r"^[\w.$]+: ")
"""The beginning of the message of a Java exception: the name of its class."""
_AFTER = re.compile(r";\n|\n*== SQL")
"""The beginning of the plan or the text that Spark prints after its message."""
_PLACE = re.compile(r"\s*\(line \d+, pos \d+\)")


def one_line(what: object, width: int = 160) -> str:
    """``what`` as text of at most ``width`` characters in one line; sqlglot underlines with codes of a terminal."""
    return " ".join(_TERMINAL.sub("", str(what)).split())[:width]


def spark_line(message: str, width: int = 160, *, place: bool = False) -> str:
    """The message of Spark's error as one line, without the plan and the text that follow it.

    :param place: keep the line and the position that it names.
    """
    message = _AFTER.split(_EXCEPTION.sub("", message), maxsplit=1)[0]
    return one_line(message if place else _PLACE.sub("", message), width)
