"""The relative links of the project's texts: each must lead to a file that exists, and to a heading that it has.

The standard library is all that is needed: the build of the site uses this, and so does tests/meta.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_FENCE = re.compile(r"^ *(`{3,}|~{3,})")
_LINK = re.compile(r"\[[^][]*(?:\[[^][]*\][^][]*)*\]\((?P<target>[^()\s]+)\)|^\[[^]]+\]:\s+(?P<reference>\S+)")
_HEADING = re.compile(r"^#{1,6}\s+(?P<title>.+?)\s*#*$")
_CODE = re.compile(r"`[^`]*`")


def texts(root: Path) -> list[Path]:
    """The project's texts: README, CONTRIBUTING, CHANGELOG, the pages of docs and the readme files of examples."""
    top = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [*top, *sorted((root / "docs").rglob("*.md")), *sorted((root / "examples").rglob("*.md"))]


def broken_links(path: Path, root: Path) -> Iterator[tuple[int, str]]:
    """The relative links of the Markdown file ``path`` that lead nowhere: the line of each, and what is wrong."""
    for line, target in links(path.read_text(encoding="utf-8")):
        fault = _fault(path, target, root)
        if fault is not None:
            yield line, fault


def links(text: str) -> Iterator[tuple[int, str]]:
    """The relative links of a Markdown text, each with its line; none of code."""
    for number, line in _prose(text):
        for found in _LINK.finditer(_CODE.sub("", line) if line.lstrip().startswith("`") else line):
            target = found["target"] or found["reference"]
            if not re.match(r"[a-z][a-z0-9+.-]*:", target):
                yield number, target


def anchors(text: str) -> set[str]:
    """The anchors of the headings of a Markdown text, as GitHub and MyST make them."""
    found: set[str] = set()
    for _, line in _prose(text):
        heading = _HEADING.match(line)
        if heading:
            slug = re.sub(r"[^\w\- ]", "", heading["title"].replace("`", "").lower()).replace(" ", "-")
            again = sum(1 for each in found if re.fullmatch(rf"{re.escape(slug)}(-\d+)?", each))
            found.add(f"{slug}-{again}" if again else slug)
    return found


def _prose(text: str) -> Iterator[tuple[int, str]]:
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        elif not fence:
            yield number, line


def _fault(path: Path, target: str, root: Path) -> str | None:
    name, _, anchor = target.partition("#")
    there = (path.parent / name).resolve() if name else path
    if not there.is_relative_to(root.resolve()):
        return f"{target}: outside the project"
    if not there.exists():
        return f"{target}: no such file"
    if anchor and there.suffix == ".md" and anchor not in anchors(there.read_text(encoding="utf-8")):
        return f"{target}: no such heading"
    return None
