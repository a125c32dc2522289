"""Entries of the rules that remove operators without effect, or evaluate operators at once."""

from __future__ import annotations

from functools import partial

from oracles.rules.rule import OPERATOR_OPTIMIZATION, Rule, excludable

_takes_out = partial(excludable, seeds=("002",))


OPERATORS: tuple[Rule, ...] = (
    _takes_out(
        # OptimizeLimitZero in the seed, then a rule of its own. Three batches list it, and adaptive execution once more
        # under the same name: both lists of excluded rules turn it off.
        "EliminateLimits",
        OPERATOR_OPTIMIZATION,
        "a LIMIT over no more rows than it lets through = those rows; of two limits, one right over the other, the "
        "lesser; LIMIT 0 = no rows",
        "how many rows there can be at most is known from the plan: a limit's, one of an aggregate without keys, and "
        "as many as their input's of what makes none",
        "nothing stands between two limits: neither a sort, nor a filter, nor rows that are skipped",
    ),
    _takes_out(
        "EliminateDistinct",
        "Eliminate Distinct",
        "max(DISTINCT x) = max(x): DISTINCT goes where repeats of a value change nothing, or where there are none",
        "of greatest and least values, and of conditions that all or some rows meet; not of counts, sums and averages",
        "or the input has a key, and the function is of all of its columns: different rows may share some",
        "FILTER stays",
    ),
    _takes_out(
        # The optimizer lists it twice, and adaptive execution has a variant, which is turned off with it.
        "PropagateEmptyRelation",
        "LocalRelation early",
        "an operator over an input that is known to have no rows = what it makes of that: no rows, most of the time",
        "a union loses its empty branches, and is empty without any other",
        "an outer join has the rows of the kept side, padded; an anti join those of its left side",
        "an aggregate without keys has its one row",
        "a join whose condition is false has no partners, like one with an empty side",
    ),
    _takes_out(
        # The optimizer lists it twice, and adaptive execution once more under the same name.
        "ConvertToLocalRelation",
        "LocalRelation early",
        "a projection, filter or LIMIT of rows that are at hand = the rows that it makes",
        "what it computes can be computed outside of a query: no function of several rows, no subquery",
        "a row passes a filter if the condition is true, not if it is NULL",
        "a projection makes as many rows as it gets",
    ),
    _takes_out(
        "CollapseProject",
        OPERATOR_OPTIMIZATION,
        "a projection of a projection, or of an aggregate = one, its columns replaced by what they are computed from",
        "a column is the one that it refers to, whatever others are called",
        "what is computed is deterministic, and cheap or asked for once",
        "an aggregate keeps its keys",
    ),
    _takes_out(
        "EliminateSorts",
        "Eliminate Sorts",
        "a sort without effect goes: by constants, or where nothing above asks for an order",
        "a constant key orders nothing; the others stay",
        "below another sort, a join, or an aggregate of functions that don't depend on the order, with nothing between "
        "them but projections and filters: a limit asks for the order",
    ),
)
