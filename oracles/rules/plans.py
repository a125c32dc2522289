"""Spark's text of a logical plan: as a tree, for the evidence that a part of a rule fired; with renumbered ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE = re.compile(r"^(?P<branches>(?:[:+\- ]{3})*)(?P<text>.*)$")
_ID = re.compile(r"#(\d+)(?=L?\b)|\bplan_id=(\d+)")


@dataclass(frozen=True, slots=True)
class PlanNode:
    """One operator: ``text`` is Spark's line for it, ``kind`` the line's first word (``Filter``, ``Join``)."""

    text: str
    children: tuple[PlanNode, ...] = ()

    @property
    def kind(self) -> str:
        """The operator's name."""
        return re.split(r"[ (\[!]", self.text.lstrip("!"), maxsplit=1)[0]

    def nodes(self) -> Iterator[PlanNode]:
        """This node and all below it, from the top down."""
        yield self
        for child in self.children:
            yield from child.nodes()

    def count(self, kind: str, *below: str) -> int:
        """The number of nodes of ``kind``; with ``below``, only those with a child of one of these kinds."""
        return sum(
            node.kind == kind and (not below or any(child.kind in below for child in node.children))
            for node in self.nodes()
        )


def read_plan(text: str) -> PlanNode:
    """Parse ``text`` (``LogicalPlan.treeString``) into a tree, without the plans of subqueries.

    Each level is indented by three characters; a subquery's plan hangs below its operator, one level deeper than
    the operator's children, and begins with ``Subquery`` or the kind of its expression.
    """
    rows: list[tuple[int, str]] = []
    for line in text.splitlines():
        match = _LINE.match(line)
        assert match is not None  # the pattern takes any line
        rows.append((len(match["branches"]) // 3, match["text"].strip()))
    tree, _ = _read(rows, 0)
    return tree


def _read(rows: list[tuple[int, str]], at: int) -> tuple[PlanNode, int]:
    level, text = rows[at]
    children: list[PlanNode] = []
    at += 1
    while at < len(rows) and rows[at][0] > level:
        child, after = _read(rows, at)
        if rows[at][0] == level + 1:
            children.append(child)
        at = after
    return PlanNode(text, tuple(children)), at


def renumbered(plan: str) -> str:
    """``plan`` with the ids of expressions and of plan nodes renumbered in the order of their occurrence."""
    numbers: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        text = found[1] or found[2]
        return f"#{numbers.setdefault(text, len(numbers))}"

    return _ID.sub(number, plan)
