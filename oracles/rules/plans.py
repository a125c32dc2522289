"""Spark's text of a logical plan, read back as a tree: what the evidence for a part of a rule looks at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE = re.compile(r"^(?P<branches>(?:[:+\- ]{3})*)(?P<text>.*)$")


@dataclass(frozen=True, slots=True)
class PlanNode:
    """One operator: ``kind`` is the first word of ``text`` (``Filter``, ``Join``, ``Relation``), as Spark prints it."""

    text: str
    children: tuple[PlanNode, ...] = ()

    @property
    def kind(self) -> str:
        return re.split(r"[ (\[!]", self.text.lstrip("!"), maxsplit=1)[0]

    def nodes(self) -> Iterator[PlanNode]:
        """This node and all below it, from the top down."""
        yield self
        for child in self.children:
            yield from child.nodes()

    def count(self, kind: str, *below: str) -> int:
        """Nodes of ``kind`` whose only or any child is of one of the kinds ``below`` (any child when none is said)."""
        return sum(
            node.kind == kind and (not below or any(child.kind in below for child in node.children))
            for node in self.nodes()
        )


def read_plan(text: str) -> PlanNode:
    """The tree in ``text`` (``LogicalPlan.treeString``), subqueries' plans left out.

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
