"""Statements that change a table: each is a whole query, whose answer is the rows of its table afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from strategies.ir.data import partition_column
from strategies.ir.expressions import Expr
from strategies.ir.node import Node
from strategies.ir.references import outers_of, subqueries_of
from strategies.ir.relations import Alias, Field, Relation, Scan, check_names, scans
from strategies.ir.types import InvalidQuery, type_text

MergeCondition = Literal["matched", "not matched", "not matched by source"]
MERGE_CONDITIONS: tuple[MergeCondition, ...] = ("matched", "not matched", "not matched by source")
MergeAction = Literal["update", "delete", "insert"]
MERGE_ACTIONS: tuple[MergeAction, ...] = ("update", "delete", "insert")


@dataclass(frozen=True, slots=True)
class Statement(Relation):
    """A change of the base table ``target``; as a relation, the rows of that table afterwards.

    It is always a whole query. Its expressions refer to the columns that the table had before, with its name as the
    qualifier.
    """

    is_statement: ClassVar[bool] = True
    target: Scan

    def _changes(self) -> None:
        """Set the output, which is the table's columns."""
        if not isinstance(self.target, Scan):
            raise self._refuse("only a base table can be changed")
        names = [column.name for column in self.target.columns]
        if len(set(names)) != len(names):
            raise self._refuse(f"the table has a column twice: {names}")
        self._outputs(self._unqualified(self.target.fields))

    def _conditioned(self, condition: Expr | None, fields: tuple[Field, ...]) -> None:
        if condition is not None:
            self._predicate(condition, fields)

    def _assigned(self, assignments: tuple[Assignment, ...], fields: tuple[Field, ...]) -> None:
        """Refuse assignments of nothing, of a column twice, of an unknown one, or of a value of another type."""
        check_names(self, assignments)
        columns = {column.name: column.type for column in self.target.columns}
        for assignment in assignments:
            kind = columns.get(assignment.name)
            if kind is None:
                raise self._refuse(f"{self.target.table} has no column {assignment.name}")
            if assignment.value.type != kind:
                raise self._refuse(f"{assignment.name} is {type_text(kind)}, not {type_text(assignment.value.type)}")
            if next(subqueries_of(assignment), None) is not None:
                raise self._refuse("an assigned value must have no subquery")
            self._resolve(assignment, fields)

    def _written(self, query: Relation) -> None:
        """Refuse a query whose rows are not rows of the table."""
        self._determined(query)
        wanted, found = ([field.type for field in side.fields] for side in (self.target, query))
        if wanted != found:
            raise self._refuse(f"needs columns of {list(map(type_text, wanted))}, got {list(map(type_text, found))}")
        if any(True for _ in outers_of(query)):
            raise self._refuse("nothing in the query may refer to a query around it")


@dataclass(frozen=True, slots=True)
class Assignment(Node):
    """``name = value``: the new value of a column of the changed table."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Delete(Statement):
    """``DELETE FROM target WHERE condition``: the other rows are left, also those for which the condition is NULL."""

    condition: Expr | None = None

    def __post_init__(self) -> None:
        self._changes()
        self._conditioned(self.condition, self.target.fields)


@dataclass(frozen=True, slots=True)
class Update(Statement):
    """``UPDATE target SET assignments WHERE condition``: all values are of the rows as they were."""

    assignments: tuple[Assignment, ...]
    condition: Expr | None = None

    def __post_init__(self) -> None:
        self._changes()
        self._assigned(self.assignments, self.target.fields)
        self._conditioned(self.condition, self.target.fields)


@dataclass(frozen=True, slots=True)
class Insert(Statement):
    """``INSERT INTO target query``: columns by position, of the table's types."""

    query: Relation

    def __post_init__(self) -> None:
        self._changes()
        self._written(self.query)


@dataclass(frozen=True, slots=True)
class Overwrite(Statement):
    """``query`` in place of the rows for which ``condition`` is true, or of all rows without one.

    ``query`` reads the table as it was.
    """

    query: Relation
    condition: Expr | None = None

    def __post_init__(self) -> None:
        self._changes()
        self._written(self.query)
        self._conditioned(self.condition, self.target.fields)
        if self.condition is not None and next(subqueries_of(self.condition), None) is not None:
            raise self._refuse("the condition must have no subquery")


@dataclass(frozen=True, slots=True)
class OverwritePartitions(Statement):
    """``query`` in place of the rows of the partitions that it has rows of; NULL is a partition, too.

    The table is partitioned by the column at :attr:`by`, and ``query`` reads it as it was.
    """

    query: Relation

    def __post_init__(self) -> None:
        self._changes()
        self._written(self.query)
        if partition_column(self.target.columns) is None:
            raise self._refuse(f"{self.target.table} has no column to partition it by")

    @property
    def by(self) -> int:
        """The place of the column whose values are the partitions."""
        place = partition_column(self.target.columns)
        assert place is not None  # it has been refused
        return place


@dataclass(frozen=True, slots=True)
class MergeClause(Node):
    """``WHEN when [AND condition] THEN action``: what becomes of a row of the table, or of one of the source."""

    when: MergeCondition
    action: MergeAction
    assignments: tuple[Assignment, ...] = ()
    condition: Expr | None = None

    def __post_init__(self) -> None:
        if self.when not in MERGE_CONDITIONS or self.action not in MERGE_ACTIONS:
            raise InvalidQuery(f"MergeClause: no clause WHEN {self.when!r} THEN {self.action!r}")
        if (self.action == "insert") != (self.when == "not matched"):
            raise InvalidQuery(f"MergeClause: WHEN {self.when} takes no {self.action}")
        if (self.action == "delete") == bool(self.assignments):
            raise InvalidQuery(f"MergeClause: {self.action} with {len(self.assignments)} assignments")


@dataclass(frozen=True, slots=True)
class Merge(Statement):
    """``MERGE INTO target USING source ON on clauses``: of each kind of rows the first clause that fits acts.

    ``source`` has a name. If ``needs_one_match``, it raises where several of its rows meet one of the table. An insert
    assigns every column.
    """

    source: Alias
    on: Expr
    clauses: tuple[MergeClause, ...]

    def __post_init__(self) -> None:
        self._changes()
        self._determined(self.source)
        if not isinstance(self.source, Alias) or self.source.name == self.target.table:
            raise self._refuse("the source needs a name of its own: alias it")
        if any(True for _ in outers_of(self.source)):
            raise self._refuse("nothing in the source may refer to a query around it")
        if not self.clauses:
            raise self._refuse("needs a clause")
        if any(next(subqueries_of(part), None) is not None for part in (self.on, *self.clauses)):
            raise self._refuse("a condition must have no subquery")
        both = (*self.target.fields, *self.source.fields)
        self._predicate(self.on, both)
        for kind in MERGE_CONDITIONS:
            clauses = [clause for clause in self.clauses if clause.when == kind]
            if any(clause.condition is None for clause in clauses[:-1]):
                raise self._refuse(f"a clause after WHEN {kind} without a condition never acts")
            for clause in clauses:
                self._check_clause(clause, both)

    @property
    def needs_one_match(self) -> bool:
        """Whether it matters which row meets a row of the table: a bare DELETE is the same by each."""
        matched = [clause for clause in self.clauses if clause.when == "matched"]
        return bool(matched) and matched != [MergeClause("matched", "delete")]

    def _check_clause(self, clause: MergeClause, both: tuple[Field, ...]) -> None:
        fields = {"matched": both, "not matched": self.source.fields}.get(clause.when, self.target.fields)
        self._conditioned(clause.condition, fields)
        if clause.assignments:
            self._assigned(clause.assignments, fields)
        if clause.action == "insert" and len(clause.assignments) != len(self.target.columns):
            raise self._refuse("an insert assigns every column")


def suits_files(statement: Relation) -> bool:
    """Whether Spark can make the change in a table of files: add rows, or put them in place of whole partitions.

    Where it takes all rows away, it does so before it reads: the query must not read the table.
    """
    if isinstance(statement, Overwrite):
        return statement.condition is None and statement.target not in scans(statement.query)
    return isinstance(statement, (Insert, OverwritePartitions))
