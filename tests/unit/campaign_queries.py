"""As many random queries as a day of a campaign has: drawn once in a process, for every module that asks about them."""

from __future__ import annotations

from functools import cache

from assay.fuzz.draws import fuzz_draws
from strategies.draw.cases import questions
from strategies.draw.draws import without_mutation
from strategies.ir import Case, Node, Relation, walk
from tests.unit.strategy_asserts import drawn

MANY = 5_000


@cache
def many_queries() -> tuple[Relation, ...]:
    """Over all sorts of schemas."""
    return tuple(query for _, query in drawn(without_mutation(questions()), count=MANY))


def nodes_of(*, count: int = MANY) -> list[Node]:
    """All nodes of the first ``count`` of them."""
    return [node for query in many_queries()[:count] for node in walk(query)]


def many_cases(count: int = MANY) -> tuple[Case, ...]:
    """The first ``count`` cases that a fuzz run draws: general ones, rules' shapes, with settings and predicates."""
    return fuzz_draws()[:count]
