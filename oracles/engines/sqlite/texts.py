"""Functions of texts and binaries to install in SQLite; see :mod:`oracles.engines.sqlite.functions`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from oracles.sql.sqlite.values import Raw, packed
from strategies.ir import STRING, Array


def concat_ws(separator: str, *texts: str | None) -> str:
    """Join the texts that aren't NULL."""
    return separator.join(text for text in texts if text is not None)


def _same_length(change: Callable[[str], str]) -> Callable[[str], str]:
    """Change the case letter by letter, as the engines do; a text that changes its length raises."""

    def call(text: str) -> str:
        changed = change(text)
        if len(changed) != len(text):
            raise ValueError(f"{text!r} has other letters in the other case")
        return changed

    return call


def _substring(text: str, start: int, size: int) -> str:
    begin = start - 1 if start > 0 else len(text) + start
    return text[max(begin, 0) : max(begin + size, 0)]


def _padding(text: str, size: int, pad: str) -> str:
    missing = size - len(text)
    return (pad * missing)[:missing] if missing > 0 else ""


def _translate(text: str, old: str, new: str) -> str:
    return text.translate({ord(letter): new[place : place + 1] for place, letter in enumerate(old)})


def _split_part(text: str, separator: str, place: int) -> str:
    parts = text.split(separator)
    found = place - 1 if place > 0 else place
    return parts[found] if -len(parts) <= found < len(parts) else ""


def _like(text: str, pattern: str) -> int:
    """LIKE with the escape sign ``$``."""
    signs = re.findall(r"[$].|.", pattern, re.DOTALL)
    words = {"%": ".*", "_": "."}
    regular = "".join(words.get(sign) or re.escape(sign[-1]) for sign in signs)
    return int(re.fullmatch(regular, text, re.DOTALL) is not None)


TEXT_FUNCTIONS: dict[str, Callable[..., Raw]] = {
    "upper": _same_length(str.upper),
    "lower": _same_length(str.lower),
    "length": len,
    "reverse": lambda text: text[::-1],
    "starts_with": str.startswith,
    "ends_with": str.endswith,
    "contains": lambda text, part: part in text,
    "position": lambda text, part: text.find(part) + 1,
    "left": lambda text, size: text[:size],
    "right": lambda text, size: text[len(text) - size :] if size < len(text) else text,
    "substring": _substring,
    "lpad": lambda text, size, pad: _padding(text, size, pad) + text[: max(size, 0)],
    "rpad": lambda text, size, pad: text[: max(size, 0)] + _padding(text, size, pad),
    "replace": lambda text, old, new: text.replace(old, new) if old else text,
    "translate": _translate,
    "repeat": lambda text, times: text * times,
    "split": lambda text, separator: packed(Array(STRING), text.split(separator)),
    "split_part": _split_part,
    "like": _like,
    "ilike": lambda text, pattern: _like(text.lower(), pattern.lower()),
    "ascii": lambda text: ord(text[0]) if text else 0,
    "md5": lambda text: hashlib.md5(text.encode(), usedforsecurity=False).hexdigest(),
    "sha256": lambda text: hashlib.sha256(text.encode()).hexdigest(),
    "hex": lambda blob: blob.hex().upper(),
    "binary_concat": lambda one, other: one + other,
}
