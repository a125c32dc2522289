"""Tell Spark's commands from queries by the word that they begin with."""

from __future__ import annotations

import sqlglot
from sqlglot.errors import SqlglotError

_WORDS = (
    "add alter analyze begin cache call clear comment commit create declare delete desc describe drop execute explain "
    "export grant import insert list load lock merge msck refresh repair replace reset revoke rollback set show start "
    "truncate uncache unlock unset update use"
)
_COMMANDS = frozenset(_WORDS.split())


def command_of(text: str) -> str:
    """The first word of ``text`` in capitals if it makes it a command of Spark, else ''."""
    try:
        tokens = sqlglot.tokenize(text, dialect="spark")
    except SqlglotError:
        return ""
    words = tokens[0].text.split() if tokens else []  # a command's token may hold more than its first word
    return words[0].upper() if words and words[0].casefold() in _COMMANDS else ""
