"""Draw edits of a case: other relations, operators, conditions, values, constants and settings in its query.

An edit keeps what drawn queries promise: constructors accept the query, it makes few rows, no sum overflows or depends
on the order of the rows, and nothing may raise in new places. The columns of the query stay the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import FormsOf, draw_way, in_some_form, sql_only
from strategies.draw.draws import pick, without_mutation
from strategies.draw.queries import queries
from strategies.draw.user_calls import with_python_where_it_runs
from strategies.edits.bounds import is_bounded
from strategies.edits.fitting import fitting, with_tables_of
from strategies.edits.places import GUARDS, Path, node_at, places, relation_places, with_node_at
from strategies.edits.swaps import (
    has_condition,
    has_constant,
    has_other,
    has_turn,
    has_value,
    swapped,
    with_other_condition,
    with_other_constant,
    with_other_value,
    with_right_turned,
)
from strategies.edits.wraps import WRAPS
from strategies.ir import (
    INT,
    Call,
    Case,
    Column,
    Database,
    InvalidQuery,
    Map,
    Node,
    Relation,
    Settings,
    SqlType,
    Table,
    can_be_partitioned,
    operators,
    raising_nodes,
    scans,
    walk,
    without_limit,
)

MAX_EDITED_OPERATORS = 8
"""The most operators of an edited query: two more than a drawn one, for operators around those that were drawn."""


_ONE_TABLE = Database((Table("t0", (Column("a", INT),)),))


@dataclass(frozen=True, slots=True)
class Edited:
    """A case while it is edited."""

    case: Case
    donors: Sequence[Case]
    forms_of: FormsOf

    @property
    def database(self) -> Database:
        """The tables of the case, or one without rows if it has none."""
        return self.case.database if self.case.database.tables else _ONE_TABLE

    @property
    def query(self) -> Relation:
        """The query of the case."""
        return self.case.query

    @property
    def schema(self) -> Database:
        """The tables without rows, on which no draw depends."""
        return without_rows(self.database)

    def relation(self, draw: DrawFn) -> tuple[Path, Relation]:
        """One of the places for another relation, and the relation there; shrinks to the query itself."""
        place = pick(draw, relation_places(self.query))
        found = node_at(self.query, place)
        assert isinstance(found, Relation)
        return place, found

    def with_query(self, query: Node, database: Database | None = None, *, settings: Settings | None = None) -> Case:
        """The case with another query, only the tables that it reads, and perhaps other settings.

        Its form stays, unless the query can't run in it, or a DataFrame program alone says all of the query.
        """
        assert isinstance(query, Relation)  # a relation replaces a relation
        query, forms = in_some_form(with_python_where_it_runs(query), self.forms_of)
        read = {scan.table for scan in scans(query)}
        tables = tuple(table for table in (database or self.database).tables if table.name in read)
        settings, partition = settings or self.case.settings, self.case.partition
        return Case(
            query,
            Database(tables),
            replace(settings, form=settings.form if settings.form in forms and forms[0] == "sql" else forms[0]),
            partition if partition is not None and can_be_partitioned(query, partition) else None,
        )


_Edit = Callable[[DrawFn, Edited], Case]


def _wrapped(draw: DrawFn, edited: Edited) -> Case:
    """An operator over one of the relations."""
    place, old = edited.relation(draw)
    new = fitting(draw, pick(draw, WRAPS)(draw, edited.schema, old), old)
    return edited.with_query(with_node_at(edited.query, place, new))


def _replaced(draw: DrawFn, edited: Edited) -> Case:
    """A drawn relation in place of one of the relations."""
    place, old = edited.relation(draw)
    new = without_limit(draw(queries(edited.schema, max_operators=_NEW_OPERATORS)))
    return edited.with_query(with_node_at(edited.query, place, fitting(draw, new, old)))


_NEW_OPERATORS = 2


def _spliced(draw: DrawFn, edited: Edited) -> Case:
    """A relation of a donor, or of the case itself, in place of one of the relations."""
    place, old = edited.relation(draw)
    donor = pick(draw, (edited.case, *edited.donors))
    found = [node_at(donor.query, at) for at in relation_places(donor.query)]
    new = pick(draw, [node for node in found if node != old] or [old])
    assert isinstance(new, Relation)
    new, database = with_tables_of(new, donor.database, edited.database)
    return edited.with_query(with_node_at(edited.query, place, fitting(draw, new, old)), database)


def _changed(
    draw: DrawFn, edited: Edited, *, wanted: Callable[[Node], bool], change: Callable[[DrawFn, Node], Node]
) -> Case:
    """A node that is ``wanted`` changed by ``change``; an operator over a relation if there is no such node."""
    found = list(places(edited.query, wanted, apart_from=GUARDS))
    if not found:
        return _wrapped(draw, edited)
    place = pick(draw, found)
    return edited.with_query(with_node_at(edited.query, place, change(draw, node_at(edited.query, place))))


def _set(draw: DrawFn, edited: Edited) -> Case:
    """Other settings."""
    case, way = edited.case, draw_way(draw)
    forms = in_some_form(case.query, edited.forms_of)[1]
    ansi = case.settings.ansi if next(raising_nodes(case.query), None) else way.ansi
    return replace(case, settings=way.settings(case.query, case.database, forms, ansi=ansi))


EDITS: tuple[_Edit, ...] = (
    _set,
    *[partial(_changed, wanted=has_constant, change=with_other_constant)] * 2,
    *[partial(_changed, wanted=has_other, change=swapped)] * 3,
    *[partial(_changed, wanted=has_condition, change=with_other_condition)] * 3,
    *[partial(_changed, wanted=has_value, change=with_other_value)] * 3,
    partial(_changed, wanted=has_turn, change=with_right_turned),
    *[_wrapped] * 6,
    *[_spliced] * 4,
    *[_replaced] * 2,
)
"""The kinds of edits, the simplest first; an edit that is there several times is drawn more often."""

_COUNTS = (0, *[1] * 8, *[2] * 5, *[3] * 2)
"""The number of edits; none in one of sixteen draws, because that is what edited cases shrink to."""


@st.composite
def _edited_cases(draw: DrawFn, case: Case, donors: Sequence[Case], forms_of: FormsOf, max_operators: int) -> Case:
    # A statement stays as it is: its tables are where it can be run, and its parts are no relations.
    for _ in range(0 if case.query.is_statement else pick(draw, _COUNTS)):
        # An expression that may raise stays where it is: elsewhere SQL may not fix whether it is evaluated.
        edit = _set if next(raising_nodes(case.query), None) else pick(draw, EDITS)
        try:
            new = edit(draw, Edited(case, donors, forms_of))
        except InvalidQuery:  # a node above refuses the new one, which only its constructor can tell
            continue
        if operators(new.query) <= max_operators and is_bounded(new.query):
            case = new
    return case


def edited_cases(
    case: Case,
    *,
    donors: Sequence[Case] = (),
    forms_of: FormsOf = sql_only,
    max_operators: int = MAX_EDITED_OPERATORS,
) -> SearchStrategy[Case]:
    """``case`` with up to three edits; shrinks to ``case`` itself.

    Of a query that may raise only the settings are edited. Raises InvalidArgument for a query with more than
    ``max_operators`` operators, and for a donor that may raise.

    :param donors: other cases, whose relations may replace those of ``case``.
    :param forms_of: the forms in which a query can run, as for :func:`strategies.draw.cases.cases`.
    """
    if operators(case.query) > max_operators:
        raise InvalidArgument(f"max_operators={max_operators}: the query has {operators(case.query)}")
    if any(next(raising_nodes(donor.query), None) for donor in donors):
        raise InvalidArgument("a donor has an expression that may raise")
    return _edited_cases(case, donors, forms_of, max_operators)


@dataclass(frozen=True, slots=True)
class _Members:
    """Cases without a text: Hypothesis would make one of hundreds of cases, a megabyte, at each of its errors."""

    cases: Sequence[Case] = field(repr=False)


@st.composite
def _neighbours(draw: DrawFn, members: _Members, forms_of: FormsOf) -> Case:
    chosen, *donors = (pick(draw, members.cases) for _ in range(1 + _DONORS))
    return draw(edited_cases(chosen, donors=donors, forms_of=forms_of))


_DONORS = 2


def neighbours(members: Sequence[Case], *, forms_of: FormsOf = sql_only) -> SearchStrategy[Case]:
    """Edits of one of ``members``, with relations of others among them; shrinks to the first member.

    Raises InvalidArgument if there are no members, or if one has too many operators or may raise.
    """
    if not members:
        raise InvalidArgument("no members to edit")
    if any(not is_member(case) for case in members):
        raise InvalidArgument("a member has too many operators, a map in a column or a text of a zero, or may raise")
    return without_mutation(_neighbours(_Members(tuple(members)), forms_of))


def is_member(case: Case) -> bool:
    """Whether ``case`` may be among the members of :func:`neighbours`.

    Spark refuses maps as keys, which an edit may make of any column, and the sign of a zero may be any after some.
    """
    if operators(case.query) > MAX_EDITED_OPERATORS or next(raising_nodes(case.query), None) is not None:
        return False
    if any(isinstance(node, Call) and node.is_undrawn for node in walk(case.query)):
        return False
    relations = (node for node in walk(case.query) if isinstance(node, Relation))
    return not any(isinstance(field.type, Map) for relation in relations for field in relation.fields)


def has_tables_of(case: Case, is_one: Callable[[SqlType], bool]) -> bool:
    """Whether a table of ``case`` has a column of such a type: of maps, which may be no key and are not compared."""
    return any(is_one(column.type) for table in case.database.tables for column in table.columns)


def without_rows(database: Database) -> Database:
    """The tables of ``database`` without their rows."""
    return Database(tuple(replace(table, rows=()) for table in database.tables))


def is_map(kind: SqlType) -> bool:
    """Whether ``kind`` is a map."""
    return isinstance(kind, Map)
