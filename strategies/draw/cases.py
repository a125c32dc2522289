"""Draw cases: rows, settings, a schema and a query over it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, cast

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.capabilities import draw_capabilities
from strategies.draw.draws import below, one_in, pick, without_mutation
from strategies.draw.errors import RAISING, in_mode, with_error
from strategies.draw.exprs import predicates
from strategies.draw.field_reads import has_fields
from strategies.draw.group_fits import having_any
from strategies.draw.planner_conf import PLACES, Group, fitting, rare_fitting
from strategies.draw.queries import MAX_OPERATORS, queries
from strategies.draw.read_columns import perhaps_with_reads
from strategies.draw.scopes import scope
from strategies.draw.statements import file_writes, statements
from strategies.draw.tables import MAX_COLUMNS, MAX_ROWS, MAX_TABLES, filled, pools, schemas
from strategies.draw.typed import typed_query
from strategies.draw.user_calls import with_python_where_it_runs
from strategies.ir import (
    BINARY,
    Case,
    Clauses,
    Database,
    Deduplicate,
    Distinct,
    Form,
    Join,
    JoinStrategy,
    Literals,
    OverwritePartitions,
    Relation,
    SetOp,
    Settings,
    Source,
    Subquery,
    columns_to_partition_by,
    is_plain,
    operators,
    scans,
    suits_files,
    transform,
)

FormsOf = Callable[[Relation], tuple[Form, ...]]


def sql_only(query: Relation) -> tuple[Form, ...]:
    """The forms of any query by default: only SQL."""
    return ("sql",)


def sources_of(database: Database) -> tuple[Source, ...]:
    """The possible sources of ``database``; CSV has no binary columns, arrays or structs.

    The writer of CSV must keep NULL and '' apart, and a row of one NULL from an empty line.
    """
    if any(column.type == BINARY or not is_plain(column.type) for table in database.tables for column in table.columns):
        return ("parquet", "orc", "cached", "local", "partitioned", "v2", "variant")
    return ("parquet", "orc", "cached", "local", "partitioned", "csv", "v2", "variant")


def in_some_form(query: Relation, forms_of: FormsOf) -> tuple[Relation, tuple[Form, ...]]:
    """``query`` with its forms. If it has no DataFrame program, DISTINCT replaces each Deduplicate, which SQL lacks:
    the keys determine the rest of a row, so the answer is the same.
    """
    forms = forms_of(query)
    if forms:
        return query, forms
    query = cast(
        Relation, transform(query, lambda node: Distinct(node.child) if isinstance(node, Deduplicate) else node)
    )
    return query, forms_of(query)


@st.composite
def _cases_of(
    draw: DrawFn, questions: SearchStrategy[tuple[Database, Relation]], max_rows: int, forms_of: FormsOf
) -> Case:
    pool = draw(pools())
    way = draw_way(draw)
    schema, query = draw(questions)
    query, forms = in_some_form(with_python_where_it_runs(query), forms_of)
    query, ansi = in_mode(query, ansi=way.ansi)
    read = {scan.table for scan in scans(query)}
    database = filled(schema, pool, max_rows=max_rows)
    database = Database(tuple(table for table in database.tables if table.name in read))
    settings = way.settings(query, database, forms, ansi=ansi)
    if query.is_statement:
        settings = to_write(draw, settings, query)
    fields = scope(columns_to_partition_by(query)) if one_in(draw, _PARTITIONED) else ()
    return Case(query, database, settings, draw(predicates(fields, depth=1)) if fields else None)


_FILES: tuple[tuple[Source, bool], ...] = (
    ("partitioned", False),
    ("partitioned", False),
    ("partitioned", True),
    ("cached", False),
)
"""Sources of tables in files that a statement changes, with whether they are analyzed before."""


def to_write(draw: DrawFn, settings: Settings, statement: Relation) -> Settings:
    """``settings`` with tables that ``statement`` can change; they keep capabilities that they have.

    Half of the statements that suit tables in files run over these.
    """
    if isinstance(statement, OverwritePartitions) or (suits_files(statement) and one_in(draw, 2)):
        source, statistics = pick(draw, _FILES)
        source = "partitioned" if isinstance(statement, OverwritePartitions) else source
        return replace(settings, source=source, form="sql", statistics=statistics, capabilities=())
    accepted = settings.capabilities or draw_capabilities(draw, to_write=True)
    return replace(settings, source="v2", form="sql", statistics=False, capabilities=accepted)


_FORMS = (0,) * 7 + (1,)
"""One case in eight is a DataFrame program, which Spark analyzes again at each method: twice as long as SQL."""
_LITERALS: tuple[Literals, ...] = ("plain", "plain", "cast")
_CLAUSES: tuple[Clauses, ...] = ("nested", "nested", "merged", "piped")
_MODES = tuple(product((*[True] * 9, False), _LITERALS, _CLAUSES))
"""One case in ten runs without ANSI mode; in two of three, constants are written as users write them."""

_COUNTS = (*[(1, 1)] * 8, *[(2, 1)] * 3, (2, 2), (3, 1), (3, 2), (4, 1), (4, 3))
"""The numbers of partitions of tables and of shuffles: half of the cases have one of each, without any shuffle."""

_PARTITIONS_AND_FORMS = tuple(product(_COUNTS, _FORMS))
"""One draw for both: each draw more takes time, and a longer way to shrink."""

_AXES: SearchStrategy[tuple[int, dict[str, Any]]] = st.tuples(
    st.sampled_from((0, 0, 0, 1, 2, 3, 4, 5)),
    st.fixed_dictionaries(
        {},
        optional={
            "aqe": st.just(True),
            "codegen": st.just(True),
            "partitions": st.sampled_from((2, 3)),
            "join": st.sampled_from(("merge", "hash", "left hash", "broadcast")),
            "vectorized": st.just(False),
            "statistics": st.just(True),
        },
    ),
)


_STOCK: tuple[dict[str, Any], ...] = tuple({"aqe": True, "codegen": True, "partitions": number} for number in (2, 3, 5))
"""Settings as in a session with Spark's own defaults (:attr:`Settings.is_stock`)."""

_WAYS: tuple[dict[str, Any] | Literal["axes", "group", "rare", "v2", "parquet", "orc"], ...] = (
    *({},) * 47,
    *("parquet",) * 12,
    *("orc",) * 6,
    *_STOCK * 5,
    *_STOCK[1:],
    {**_STOCK[0], "source": "variant"},
    *("axes",) * 9,
    *("group",) * 14,
    *("rare",) * 14,
    *("v2",) * 8,
)
"""One case in seven runs as a stock session does, one in fourteen with other settings ("axes"), one in ten under a
group of :mod:`strategies.draw.planner_conf`, most of which the fast path has, one in sixteen over tables of the source
"v2", which it has, too, and one in 128 over tables in a VARIANT. "rare" is one of the rare groups for a query that fits
one, "parquet" and "orc" a stock session over such files for a case with columns of structs, because Spark prunes the
fields of files alone: all three are the default for other cases. The rest run on the fast path, several times as fast;
a quarter of the regression cases (4 of 17) have other settings than the defaults. One draw for all: each draw more is a
longer way to shrink. Of more than 128 options Hypothesis draws the first ones more often.
"""


class Way(NamedTuple):
    """Settings as they are drawn, before the query whose source, form and group they choose is known.

    ``source``, ``form`` and ``group`` are places among those that fit, the group's among ``groups``; ``others`` are
    settings for any case, and ``with_fields`` those for one with columns of structs. ``join`` is how a query that has
    joins, or gets them from a rule, is joined if the fast path may run it.
    """

    source: int = 0
    form: int = 0
    ansi: bool = True
    join: JoinStrategy = "auto"
    group: int | None = None
    groups: Callable[[Relation], tuple[Group, ...]] = fitting
    others: Mapping[str, Any] = MappingProxyType({})
    with_fields: Mapping[str, Any] = MappingProxyType({})

    def settings(self, query: Relation, database: Database, forms: tuple[Form, ...], *, ansi: bool) -> Settings:
        """The settings of ``query`` over ``database``, which has these ``forms`` and needs this ANSI mode."""
        sources = sources_of(database)
        drawn = {"source": sources[self.source % len(sources)], "form": forms[self.form % len(forms)], "ansi": ansi}
        nested = any(has_fields(column.type) for table in database.tables for column in table.columns)
        others = {**self.others, **(self.with_fields if nested else {})}
        groups = () if self.group is None else self.groups(query)
        chosen = groups[self.group % len(groups)].settings if self.group is not None and groups else {}
        settings = Settings(**{**drawn, **others, **chosen})
        if self.join == "auto" or not settings.is_quick or not _is_joined(query):
            return settings
        return replace(settings, join=self.join)


_is_joined = having_any(Join, Subquery, SetOp)  # rules make joins of subqueries and set operators


_JOINS: tuple[JoinStrategy, ...] = (*(("auto",) * 10), "hash", "hash", "left hash", "broadcast")
"""How the joins of the fast path are made: one case in seven by hash, one in fourteen by hash of the left side, and as
many by broadcast. The planner's own choice is to merge there, as tables are large to it.
"""


def draw_way(draw: DrawFn) -> Way:
    """Settings for any query; shrinks to the defaults."""
    ((partitions, shuffled), form), (ansi, literals, clauses) = pick(draw, _PARTITIONS_AND_FORMS), pick(draw, _MODES)
    way, join = _way(draw), pick(draw, _JOINS)
    written = {"literals": literals, "clauses": clauses}
    others = {"table_partitions": partitions, "partitions": shuffled, **written, **way.others}
    return way._replace(form=form, ansi=ansi, join=join, others=others)


def _way(draw: DrawFn) -> Way:
    """The part of a way that is no matter of partitions, form and mode; shrinks to the defaults."""
    ways = pick(draw, _WAYS)
    if isinstance(ways, dict):
        return Way(others=ways)
    if ways == "axes":
        source, others = draw(_AXES)
        return Way(source, others=others)
    if ways in ("group", "rare"):
        return Way(group=draw(below(PLACES)), groups=fitting if ways == "group" else rare_fitting)
    if ways == "v2":
        return Way(others={"source": "v2", "capabilities": draw_capabilities(draw)})
    return Way(with_fields={**_STOCK[0], "source": ways})


_PARTITIONED = 24
"""One case in this many also runs in three parts, which takes three times a leg's work."""

_LARGE = 4
"""One query in this many may have the maximum number of operators, the others half of it: cheaper queries convict no
fewer mutants in about the same time (one seed, 158 mutants, four databases per query: 111 by 753 queries of this kind,
105 by 582 queries of up to six operators, 109 by 832 queries of up to three).
"""


def cases_of(
    questions: SearchStrategy[tuple[Database, Relation]], *, max_rows: int = MAX_ROWS, forms_of: FormsOf = sql_only
) -> SearchStrategy[Case]:
    """Cases of schemas with queries over them; the database holds only the tables that the query reads.

    Rows and settings are drawn before the query, and independently of it, so that they stay the same when it shrinks.
    ``forms_of`` returns the forms in which a query can run, the preferred one first.
    """
    return without_mutation(_cases_of(questions, max_rows, forms_of))


_KINDS = 80
"""The bound of one draw for statements, errors and typed Datasets."""
_STATEMENTS = 3
"""In so many of :data:`_KINDS` draws the query is a statement: of each kind there is one in two hundred queries."""
_FILE_WRITES = 2
"""In so many others it is one that suits tables in files."""
_TYPED = 2
"""In so many of :data:`_KINDS` draws the query has operations of a typed Dataset."""
IN_STATEMENTS = 2
"""The most operators of a statement's query: it is written as jobs, and the statement is what matters."""


@st.composite
def _questions(draw: DrawFn, max_tables: int, max_columns: int, max_operators: int) -> tuple[Database, Relation]:
    schema = draw(schemas(max_tables=max_tables, max_columns=max_columns))
    most = max_operators if one_in(draw, _LARGE) else (max_operators + 1) // 2
    kind = draw(below(_KINDS)) if max_operators else 0
    if kind >= _KINDS - _STATEMENTS:
        return schema, draw(statements(schema, max_operators=min(most, IN_STATEMENTS)))
    raising = _KINDS - _STATEMENTS - _KINDS // RAISING
    if kind >= raising:
        return schema, with_error(draw, draw(queries(schema, max_operators=most - 1)))
    if kind >= raising - _FILE_WRITES:
        return schema, draw(file_writes(schema, max_operators=min(most, IN_STATEMENTS)))
    if kind >= raising - _FILE_WRITES - _TYPED:
        return schema, typed_query(draw, schema, most)
    query = draw(queries(schema, max_operators=most))
    return perhaps_with_reads(draw, schema, query, max_operators - operators(query))


def questions(
    *, max_tables: int = MAX_TABLES, max_columns: int = MAX_COLUMNS, max_operators: int = MAX_OPERATORS
) -> SearchStrategy[tuple[Database, Relation]]:
    """Schemas with a random query each; three queries in four have at most half of ``max_operators``.

    One in sixteen has an expression that may raise (see :mod:`strategies.draw.raising`), one in sixteen is a statement
    (see :mod:`strategies.draw.statements`), and one in 40 has a typed Dataset (see :mod:`strategies.draw.typed`).
    """
    return _questions(max_tables, max_columns, max_operators)


def cases(
    *, max_operators: int = MAX_OPERATORS, max_rows: int = MAX_ROWS, forms_of: FormsOf = sql_only
) -> SearchStrategy[Case]:
    """Cases of random queries; shrinks to a scan of a table with one INT column and no rows, with default settings."""
    return cases_of(questions(max_operators=max_operators), max_rows=max_rows, forms_of=forms_of)
