"""Draw cases in half of which an aim's operators, expressions, statements and configuration are put."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.capabilities import draw_capabilities
from strategies.draw.cases import IN_STATEMENTS, FormsOf, sources_of, sql_only, to_write
from strategies.draw.draws import one_in, pick, without_mutation
from strategies.draw.errors import in_mode, with_error
from strategies.draw.group_fits import having
from strategies.draw.limits import count_and_offset
from strategies.draw.planner_conf import GROUPS, Group
from strategies.draw.raising import overflow
from strategies.draw.statements import statements
from strategies.edits.aim import Aim
from strategies.edits.aimed_joins import JOINS_THAT_FIT
from strategies.edits.aimed_operators import OPERATORS, listed
from strategies.edits.aimed_stacks import has_operators, named_operators, stacked
from strategies.edits.bounds import is_bounded
from strategies.edits.column_types import is_alike, with_column_of
from strategies.edits.edits import MAX_EDITED_OPERATORS, Edited, has_tables_of, is_map, is_member, without_rows
from strategies.edits.fitting import fitting
from strategies.edits.places import node_at, relation_places, with_node_at
from strategies.ir import (
    FLOATING,
    INTEGERS,
    AnyLimit,
    Capability,
    Case,
    Database,
    InvalidQuery,
    Item,
    Join,
    Project,
    RaisingOp,
    Relation,
    Scan,
    Source,
    has_collation,
    operators,
)

_SHARE = 2
"""One draw in so many has the aim put into its query, and as many of those that fit run under its configuration."""

_BESIDE_RARE = 4
"""One in so many of the queries that fit a rare group of the aim's configuration runs without it."""

_NEARLY = 4
"""One in so many of the queries with a join that does not fit a group about joins runs under it."""

_COUNTS = (1, 2, 1, 2, 3)
"""The number of operators that are put over one relation, one over the other: rules look at two that meet."""
_ALONE = (2, 3, 1, 2, 3, 4)
"""The number of those that are put over a table alone, whose rows nothing leaves out below."""


def aimed_cases(cases: SearchStrategy[Case], aim: Aim, *, forms_of: FormsOf = sql_only) -> SearchStrategy[Case]:
    """``cases``, half of them with operators and expressions of ``aim`` over a part of their query, over all of it, or
    over a table in its place, or with a statement of the aim's kinds instead; half of those that fit run under a group
    of configuration of the aim, three in four of those that fit a rare one. If the aim asks for that, a share has an
    expression that may raise, and half have tables in a source that accepts parts of the query, or in a VARIANT.
    ``cases`` itself if the aim is empty. Shrinks to a case that is as it was drawn.

    :param forms_of: the forms in which a query can run, as for :func:`strategies.draw.cases.cases`.
    """
    return without_mutation(_aimed_cases(cases, aim, forms_of)) if aim else cases


@st.composite
def _aimed_cases(draw: DrawFn, cases: SearchStrategy[Case], aim: Aim, forms_of: FormsOf) -> Case:
    case = draw(cases)
    if one_in(draw, _SHARE):
        case = _edited(draw, case, aim, forms_of)
    if aim.raising and one_in(draw, aim.raising):
        case = _raising(draw, case, aim, forms_of)
    return case if case.query.is_statement else _configured(draw, case, aim)


def _configured(draw: DrawFn, case: Case, aim: Aim) -> Case:
    """``case`` with settings of the aim: three in four of those that fit a rare group of its configuration under that,
    half of the others over the tables that it asks for, half of what is left under another group.
    """
    groups = [GROUPS[name] for name in aim.groups]
    groups = [group for group in groups if group.fits(case.query) or _nearly_fits(draw, group, case.query)]
    rare = [group for group in groups if group.rare]
    usual = [group for group in groups if not group.rare]
    if rare and not one_in(draw, _BESIDE_RARE):  # few queries fit one, and those that do are for it
        return _under(case, pick(draw, rare))
    if aim.accepting and one_in(draw, _SHARE):
        return _over(case, "v2", draw_capabilities(draw))
    if aim.in_variant and one_in(draw, _SHARE):
        return _over(case, "variant")
    return _under(case, pick(draw, usual)) if usual and one_in(draw, _SHARE) else case


def _over(case: Case, source: Source, capabilities: tuple[Capability, ...] = ()) -> Case:
    return replace(case, settings=replace(case.settings.quickened(), source=source, capabilities=capabilities))


def _under(case: Case, group: Group) -> Case:
    if group.needs:
        case = _over(case, "parquet")
    return replace(case, settings=replace(case.settings, **group.settings))


def _nearly_fits(draw: DrawFn, group: Group, query: Relation) -> bool:
    """Whether ``query`` has a join, if ``group`` is about some; true of one such query in so many. A wrong rule may act
    on joins of other kinds than Spark's rule does.
    """
    return group.fits in JOINS_THAT_FIT and having(Join)(query) and one_in(draw, _NEARLY)


_OVERFLOWING: dict[str, RaisingOp] = {"Add": "+", "Subtract": "-", "Multiply": "*"}
_OVER_A_TABLE = 2
"""One query that may raise in so many is a select list over a table alone, if the aim names sums or the like."""


def _raising(draw: DrawFn, case: Case, aim: Aim, forms_of: FormsOf) -> Case:
    """``case`` with an expression that may raise, compared more often if the aim compares, in the mode that it needs;
    as it is if there is no place for one.
    """
    if case.query.is_statement or operators(case.query) >= MAX_EDITED_OPERATORS:
        return case
    compared = 2 if aim.comparisons else 4
    try:
        listed = _overflowing(draw, case, aim, compared)
        query, ansi = in_mode(
            listed or with_error(draw, case.query, compared=compared), ansi=listed is not None or case.settings.ansi
        )
        return Edited(case, (), forms_of).with_query(query, settings=replace(case.settings, ansi=ansi))
    except InvalidQuery:  # what is there already is of the other mode
        return case


def _overflowing(draw: DrawFn, case: Case, aim: Aim, compared: int) -> Relation | None:
    """A select list over a table alone of a sum that may overflow: SQL fixes that it is evaluated for each row. None in
    other draws, and where the aim names none or no table has integers.
    """
    ops = [_OVERFLOWING[name] for name in aim.expressions if name in _OVERFLOWING]
    scans = [Scan(table.name, table.columns) for table in case.database.tables]
    scans = [scan for scan in scans if any(field.type in INTEGERS for field in scan.fields)]
    if not ops or not scans or not one_in(draw, _OVER_A_TABLE):
        return None
    scan = pick(draw, scans)
    return Project(scan, (Item("x", overflow(draw, scan.fields, ops, compared=compared)),))


def _edited(draw: DrawFn, case: Case, aim: Aim, forms_of: FormsOf) -> Case:
    edited = Edited(case, (), forms_of)
    # A statement has none over such texts: the table's rows afterwards would be any of equal ones.
    written = aim.statements and not has_tables_of(case, has_collation)
    if written and (not has_operators(aim) or one_in(draw, _SHARE)):
        statement = draw(statements(edited.schema, max_operators=IN_STATEMENTS, kinds=aim.statements))
        return edited.with_query(statement, settings=to_write(draw, case.settings, statement))
    alone = one_in(draw, 2)
    if not has_operators(aim) or (has_tables_of(case, is_map) if alone else not is_member(case)):
        return case
    try:
        new = _alone(draw, edited, aim) if alone else _aimed(draw, edited, aim)
    except InvalidQuery:  # a node refuses another one, which only its constructor can tell
        return case
    return new if operators(new.query) <= MAX_EDITED_OPERATORS and is_bounded(new.query) else case


_LISTED = 3
"""One query over a table alone in so many is a select list, if aim and table have floating numbers."""


def _alone(draw: DrawFn, edited: Edited, aim: Aim) -> Case:
    """A query of the aim's operators over a table; half of the time over one with a column of a type that the aim
    names, if no table has one. If it names floating numbers, one in three is a select list alone, with an expression of
    such columns: the signs of its zeros can be shown (:func:`strategies.edits.shown.with_signs`).
    """
    database = edited.database
    if aim.types and not has_tables_of(edited.case, lambda kind: is_alike(kind, aim.types)) and one_in(draw, 2):
        changed = with_column_of(draw, database, aim.types)
        database = changed if edited.case.settings.source in sources_of(changed) else database
    schema = without_rows(database)
    table = pick(draw, schema.tables)
    scan = Scan(table.name, table.columns)
    numbers = tuple(field for field in scan.fields if field.type in FLOATING)
    if numbers and not set(FLOATING).isdisjoint(aim.types) and one_in(draw, _LISTED):
        return edited.with_query(listed(draw, scan, aim, of=numbers), database)
    new = stacked(draw, schema, scan, aim, pick(draw, _ALONE), MAX_EDITED_OPERATORS)
    return edited.with_query(_at_top(draw, schema, new, aim), database)


def _at_top(draw: DrawFn, schema: Database, query: Relation, aim: Aim) -> Relation:
    """``query``, or under a limit without an order, which stands at the top alone, if the aim asks for limits; three in
    four of these limits have an operator right below that the aim names.
    """
    if "Limit" not in aim.operators or not one_in(draw, 2):
        return query
    below = [name for name in named_operators(aim) if name not in ("Limit", "Sort")]
    if below and not one_in(draw, 4):
        query = OPERATORS[pick(draw, below)](draw, schema, query, aim)
    return AnyLimit(query, *count_and_offset(draw))


def _aimed(draw: DrawFn, edited: Edited, aim: Aim) -> Case:
    found = relation_places(edited.query)
    place = found[0] if one_in(draw, 2) else pick(draw, found)
    old = node_at(edited.query, place)
    assert isinstance(old, Relation)
    room = MAX_EDITED_OPERATORS - operators(edited.query) + operators(old)
    new = stacked(draw, edited.schema, old, aim, pick(draw, _COUNTS), room)
    # Nothing around the whole query asks for its columns.
    whole = (
        with_node_at(edited.query, place, fitting(draw, new, old)) if place else _at_top(draw, edited.schema, new, aim)
    )
    return edited.with_query(whole)
