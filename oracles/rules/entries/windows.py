"""Entries of the rules about windows, and of others that batches list beside them."""

from __future__ import annotations

from functools import partial

from oracles.rules.rule import OPERATOR_OPTIMIZATION, Rule, excludable

_rewrites = partial(excludable, seeds=("002",))


WINDOWS: tuple[Rule, ...] = (
    _rewrites(
        "LimitPushDownThroughWindow",
        OPERATOR_OPTIMIZATION,
        "LIMIT n over the ranks of all rows = the ranks of the first n rows in the window's order",
        "every function is rank, dense_rank or row_number: no row after the current one and its peers changes these",
        "the first rows are those of the window's own order, in its directions",
        "nothing stands between them but a projection: a filter needs more rows than the limit lets through",
    ),
    _rewrites(
        "InferWindowGroupLimit",
        "Infer window group limit",
        "a filter that no row beyond the rank k passes, over that rank = the filter over the ranks of the first rows "
        "of each partition, up to that rank",
        "the condition, or a part of its AND, is n < k, n <= k or n = k; not so an OR",
        "no function of the window looks beyond the current row: none depends on the number of rows, and no frame has "
        "peers or rows behind it",
        "rows are counted as the function does that is asked for: peers share a rank, and each has a number",
        "no row has a rank less than 1",
    ),
    _rewrites(
        "PushLeftSemiLeftAntiThroughJoin",
        OPERATOR_OPTIMIZATION,
        "a semi or anti join of L JOIN R = the join of L and R, one of which has been joined so before",
        "all its conditions are about the same side: a row on the right matches both sides at once",
        "an inner join passes it to either side, an outer join to the side whose every row is kept: a row that is "
        "dropped from a padded side comes back as padding",
        "without a condition it goes to the left, or to the right of a right join; a full join keeps it in any case",
    ),
    _rewrites(
        "TransposeWindow",
        OPERATOR_OPTIMIZATION,
        "a window over one whose partitions are parts of its own = that one over it: the rows are sorted once for both",
        "neither asks for the other's column, and nothing but a projection stands between them",
        "each keeps its partition, its order and its frames, and the columns their places",
    ),
    _rewrites(
        "CollapseWindow",
        OPERATOR_OPTIMIZATION,
        "a window over another one by the same keys = one window of both's functions",
        "the partition is the same, and so is the order, with its directions and places of NULL",
        "neither asks for the other's column, and nothing but a projection stands between them",
    ),
    _rewrites(
        "DecimalAggregates",
        "Decimal Optimizations",
        "the sum or average of decimals of few digits = that of their unscaled BIGINTs, scaled",
        "the sum has room in a BIGINT: 10 digits more than its operand, 18 at most",
        "the average is a quotient of doubles, rounded to 4 digits more: 15 at most",
        "no value makes NULL, and NULL is no value",
        "DISTINCT, FILTER and the window's frame stay",
    ),
)
