"""Texts as literals of a script; the standard library is all that is needed."""

from __future__ import annotations


def literal(text: str) -> str:
    """``text`` as a readable Python literal."""
    plain = all(sign.isprintable() or sign == "\n" for sign in text)
    if plain and not {'"', "\\", "\n"} & set(text):
        return f'"{text}"'
    if plain and '"""' not in text and not text.endswith(('"', "\\")):
        return f'{"r" if chr(92) in text else ""}"""{text}"""'
    return repr(text)
