"""The query algebra. ``eval(repr(query), vars(strategies.ir)) == query`` for every query."""

from strategies.ir.afterwards import afterwards, matches
from strategies.ir.aggregates import (
    AGG_FUNCTIONS,
    DISTINCT_AGGREGATES,
    OF_SEVERAL,
    WINDOW_AGGREGATES,
    Agg,
    AggFunction,
    aggregate_type,
    interpolated,
    is_number,
)
from strategies.ir.arrangement import EXCHANGES, Exchange, Repartition, Sort, has_an_order, keys_of_order
from strategies.ir.bags import (
    SET_KINDS,
    AnyLimit,
    Deduplicate,
    Distinct,
    Limit,
    SetKind,
    SetOp,
    SortKey,
    without_limit,
)
from strategies.ir.case import (
    CAPABILITIES,
    FORMS,
    JOIN_STRATEGIES,
    PARQUET,
    SOURCES,
    UTC,
    Capability,
    Case,
    Clauses,
    Conf,
    Form,
    JoinStrategy,
    Literals,
    Settings,
    Source,
)
from strategies.ir.casts import Cast, TryCast, can_cast, can_try_cast
from strategies.ir.codec import from_plain, to_plain
from strategies.ir.collations import Collate
from strategies.ir.cte import With, free_ctes, inlined, without_random
from strategies.ir.data import Column, Database, Row, Table, partition_column
from strategies.ir.expressions import (
    ARITH_OPS,
    COMPARE_OPS,
    And,
    Arith,
    ArithOp,
    Between,
    Call,
    CaseWhen,
    Coalesce,
    Col,
    Compare,
    CompareOp,
    Expr,
    InList,
    IsNull,
    Lit,
    Not,
    NullIf,
    Or,
    Remainder,
    TryArith,
    When,
    conjuncts,
    decimal_type,
)
from strategies.ir.functions import FUNCTIONS, MOVES, OVERFLOWS, UNDRAWN
from strategies.ir.generate import PYTHON_ELEMENTS, Generate, is_in_python, python_table_function
from strategies.ir.grouping import (
    GROUPING_KINDS,
    Aggregate,
    GroupingId,
    GroupingKind,
    GroupingSets,
    Pivot,
    PivotValue,
)
from strategies.ir.lateral import LATERAL_KINDS, Lateral
from strategies.ir.maps import MAP_KEYS, MakeMap, MapRead
from strategies.ir.nested import (
    HIGHER_ORDER,
    Element,
    FieldOfEach,
    GetField,
    HigherOrder,
    HigherOrderFunction,
    MakeArray,
    MakeStruct,
    WithField,
    WithoutField,
    has_free_element,
    spelled_out,
)
from strategies.ir.node import Node, children, init_fields, rebuild, transform, walk
from strategies.ir.partition import can_be_partitioned, columns_to_partition_by, partitioned
from strategies.ir.raising import (
    RaiseError,
    Raising,
    RaisingArith,
    RaisingCast,
    RaisingElement,
    RaisingOp,
    may_raise,
    raising_nodes,
    suits_mode,
    without_ansi,
)
from strategies.ir.random_columns import RANDOM_FUNCTIONS, RandomColumn, RandomFunction, RowNumbers
from strategies.ir.recursion import MAX_STEPS, Recursive
from strategies.ir.references import (
    Outer,
    Subquery,
    columns_of,
    outer_columns,
    outers_of,
    subqueries_of,
    substitute,
    with_outers,
)
from strategies.ir.relations import (
    JOIN_HINTS,
    JOIN_KINDS,
    Alias,
    CteScan,
    Field,
    Filter,
    Item,
    Join,
    JoinHint,
    JoinKind,
    OneRow,
    Project,
    RandomOp,
    RandomTest,
    Relation,
    Scan,
    Values,
    ValuesRow,
    from_fields,
    operators,
    qualifiers,
    referable,
    resolve,
    scans,
    takes_hint,
)
from strategies.ir.signatures import ANY, ANY_ARRAY, Signature, has_statistics, is_plain
from strategies.ir.subqueries import (
    Exists,
    InSubquery,
    ScalarSubquery,
    at_most_one_row,
    keys_of_outer_row,
    takes_a_collation,
)
from strategies.ir.typed import (
    ROW_CHANGES,
    ROW_TESTS,
    RowFunction,
    Typed,
    TypedCount,
    TypedFilter,
    TypedMap,
    is_row_key,
)
from strategies.ir.types import (
    ATOMIC,
    BIGINT,
    BINARY,
    BOOLEAN,
    COLLATIONS,
    DATE,
    DOUBLE,
    FLOAT,
    FLOATING,
    INT,
    INTEGERS,
    INTERVAL,
    MONTHS,
    SMALLINT,
    STRING,
    TIME,
    TIMESTAMP,
    TIMESTAMP_NTZ,
    TINYINT,
    WHOLE,
    Array,
    Collated,
    Collation,
    Decimal,
    InvalidQuery,
    Map,
    SqlType,
    Struct,
    Value,
    check_value,
    common_type,
    has_collation,
    integer_range,
    is_made_of,
    type_from_text,
    type_text,
)
from strategies.ir.unpivot import Unpivot
from strategies.ir.user_functions import LANGUAGES, USER_FUNCTIONS, Language, UserCall, UserFunction
from strategies.ir.verbatim import Verbatim
from strategies.ir.windows import (
    FRAME_UNITS,
    PEEK_FUNCTIONS,
    RANK_FUNCTIONS,
    Frame,
    FrameUnit,
    Over,
    Peek,
    PeekFunction,
    RankFunction,
    Ranking,
    Window,
    can_be_moved,
)
from strategies.ir.writes import (
    MERGE_ACTIONS,
    MERGE_CONDITIONS,
    Assignment,
    Delete,
    Insert,
    Merge,
    MergeAction,
    MergeClause,
    MergeCondition,
    Overwrite,
    OverwritePartitions,
    Statement,
    Update,
    suits_files,
)

__all__ = [name for name in dir() if not name.startswith("_")]
