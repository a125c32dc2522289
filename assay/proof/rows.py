"""Plans over tables whose rows are there or not: each operator makes a list of such rows of those of its inputs.

A plan's result is the bag of the rows that are there, each as often as it counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.proof import algebra
from assay.proof.algebra import Expr, NotEncodable, Plan, output
from assay.proof.cells import (
    NULL,
    Cell,
    Flag,
    Value,
    all_alike,
    applied,
    both,
    chosen,
    either,
    equal,
    extreme,
    holds,
    less,
    opposite,
    times,
    total,
)

Cells = tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is there if ``present`` holds, ``count`` times, which is at least 1 then."""

    present: Flag
    cells: Cells
    count: Value = 1


@dataclass(slots=True)
class Encoder:
    """Encodes plans over ``tables``: the rows of each, by its name.

    ``broken``: the conditions under which a column that is declared to be without NULL has one. There, Spark's code
    reads whatever the value is, and nothing is proven.
    """

    tables: Mapping[str, Sequence[Row]]
    broken: list[Flag] = field(default_factory=list)

    def rows(self, plan: Plan) -> list[Row]:
        """The rows of ``plan``.

        :raises NotEncodable: a column is not among those of the input, or an aggregate function where none can be.
        """
        return [row for row in self._rows(plan) if row.present is not False]

    def _rows(self, plan: Plan) -> list[Row]:
        match plan:
            case algebra.Table(name):
                return list(self.tables[name])
            case algebra.OneRow():
                return [Row(True, ())]
            case algebra.Filter(condition, child):
                return [
                    Row(both(row.present, holds(self._value(condition, child, row))), row.cells, row.count)
                    for row in self.rows(child)
                ]
            case algebra.Project(items, child):
                return [self._projected([item.expression for item in items], child, row) for row in self.rows(child)]
            case algebra.Union(several):
                return [row for each in several for row in self.rows(each)]
            case algebra.Replicate():
                return [self._replicated(plan, row) for row in self.rows(plan.child)]
            case algebra.Join():
                return self._joined(plan)
            case algebra.Aggregate():
                return self._aggregated(plan)
            case algebra.Counted():
                return _counted(plan.kind, [self.rows(each) for each in plan.inputs])

    def _value(self, expression: Expr, plan: Plan, row: Row) -> Cell:
        """The value of ``expression`` over a row of ``plan``."""
        match expression:
            case algebra.Column(number, promised):
                mine = output(plan)
                if number not in mine:
                    raise NotEncodable("a column that the input doesn't have")
                cell = row.cells[mine.index(number)]
                if promised and cell.null is not False:
                    self.broken.append(both(row.present, cell.null))
                return cell
            case algebra.Constant(value):
                return NULL if value is None else Cell(False, value)
            case algebra.Apply(name, arguments):
                return applied(name, [self._value(each, plan, row) for each in arguments])
            case algebra.Aggregated(name):
                raise NotEncodable(f"{name} outside of an aggregate")

    def _projected(self, expressions: Sequence[Expr], plan: Plan, row: Row) -> Row:
        return Row(row.present, tuple(self._value(each, plan, row) for each in expressions), row.count)

    def _replicated(self, plan: algebra.Replicate, row: Row) -> Row:
        copies = self._value(plan.copies, plan.child, row)
        several = both(opposite(copies.null), less(0, copies.value))
        columns = (*map(algebra.Column, plan.kept), *plan.values)
        cells = tuple(self._value(each, plan.child, row) for each in columns)
        return Row(both(row.present, several), cells, times(row.count, copies.value))

    def _joined(self, plan: algebra.Join) -> list[Row]:
        left, right = self.rows(plan.left), self.rows(plan.right)
        # The condition sees the columns of both sides, whatever the join hands on.
        sides = algebra.Join("inner", plan.left, plan.right)
        pairs = [[_paired(one, other) for other in right] for one in left]
        met = [[self._met(plan.condition, sides, pair) for pair in line] for line in pairs]
        if plan.kind in ("semi", "anti"):
            kept = [either(*line) if plan.kind == "semi" else opposite(either(*line)) for line in met]
            return [Row(both(row.present, flag), row.cells, row.count) for row, flag in zip(left, kept, strict=True)]
        if plan.kind == "existence":
            return [
                Row(row.present, (*row.cells, Cell(False, either(*line))), row.count)
                for row, line in zip(left, met, strict=True)
            ]
        joined = [
            Row(flag, pair.cells, pair.count)
            for line, flags in zip(pairs, met, strict=True)
            for pair, flag in zip(line, flags, strict=True)
        ]
        if plan.kind in ("left", "full"):
            nulls = (NULL,) * len(output(plan.right))
            joined += [_alone(row, line, (*row.cells, *nulls)) for row, line in zip(left, met, strict=True)]
        if plan.kind in ("right", "full"):
            nulls = (NULL,) * len(output(plan.left))
            theirs = [[line[place] for line in met] for place in range(len(right))]
            joined += [_alone(row, line, (*nulls, *row.cells)) for row, line in zip(right, theirs, strict=True)]
        return joined

    def _met(self, condition: Expr | None, sides: Plan, pair: Row) -> Flag:
        """Whether both rows of ``pair`` are there and match."""
        if condition is None or pair.present is False:
            return pair.present
        return both(pair.present, holds(self._value(condition, sides, pair)))

    def _aggregated(self, plan: algebra.Aggregate) -> list[Row]:
        below = self.rows(plan.child)
        if not plan.keys:
            members = [row.present for row in below]
            nobody = Row(True, (NULL,) * len(output(plan.child)))
            return [Row(True, self._results(plan, nobody, below, members))]
        keys = [self._projected(plan.keys, plan.child, row).cells for row in below]
        made = []
        for place, row in enumerate(below):
            same = [both(other.present, all_alike(keys[place], key)) for other, key in zip(below, keys, strict=True)]
            # The first of its rows stands for a group.
            first = both(row.present, *(opposite(flag) for flag in same[:place]))
            made.append(Row(first, self._results(plan, Row(first, row.cells), below, same)))
        return made

    def _results(self, plan: algebra.Aggregate, first: Row, below: Sequence[Row], members: Sequence[Flag]) -> Cells:
        """A row of the aggregate: ``first`` has the keys of the group."""

        def result(expression: Expr) -> Cell:
            match expression:
                case algebra.Aggregated():
                    return self._function(expression, plan.child, below, members)
                case algebra.Apply(name, arguments):
                    return applied(name, [result(each) for each in arguments])
                case _:
                    return self._value(expression, plan.child, first)

        return tuple(result(item.expression) for item in plan.items)

    def _function(self, each: algebra.Aggregated, child: Plan, below: Sequence[Row], members: Sequence[Flag]) -> Cell:
        arguments = [self._projected(each.arguments, child, row).cells for row in below]
        taken: list[Flag] = []
        counts: list[Value] = []
        for place, (row, member) in enumerate(zip(below, members, strict=True)):
            mine = arguments[place]
            allowed = True if each.where is None else holds(self._value(each.where, child, row))
            flag = both(member, allowed, *(opposite(cell.null) for cell in mine))
            if each.distinct:
                # Of rows with the same arguments the first one counts, once.
                before = zip(taken, arguments, strict=False)
                flag = both(flag, *(opposite(both(also, all_alike(mine, theirs))) for also, theirs in before))
            taken.append(flag)
            counts.append(1 if each.distinct else row.count)
        if each.name == "Count":
            weights = zip(taken, counts, strict=True)
            return Cell(False, total(chosen(flag, count, 0) for flag, count in weights))
        values = [cell for (cell,) in arguments]
        if each.name == "Sum":
            every = zip(taken, values, counts, strict=True)
            amount = total(chosen(flag, times(cell.value, count), 0) for flag, cell, count in every)
            return Cell(opposite(either(*taken)), amount)
        given = [Cell(opposite(flag), cell.value) for flag, cell in zip(taken, values, strict=True)]
        return extreme(NULL, *given, greatest=each.name == "Max") if given else NULL


def _paired(one: Row, other: Row) -> Row:
    return Row(both(one.present, other.present), (*one.cells, *other.cells), times(one.count, other.count))


def _alone(row: Row, partners: Sequence[Flag], cells: Cells) -> Row:
    return Row(both(row.present, *map(opposite, partners)), cells, row.count)


def _counted(kind: str, sides: Sequence[Sequence[Row]]) -> list[Row]:
    """The rows of a set operator, each at the first of its places on the left."""
    left, right = sides[0], sides[1] if len(sides) > 1 else []
    made = []
    for place, row in enumerate(left):
        mine, theirs = copies(row, left), copies(row, right)
        first = both(
            row.present, *(opposite(both(other.present, all_alike(row.cells, other.cells))) for other in left[:place])
        )
        several = opposite(equal(theirs, 0))
        match kind:
            case "Distinct":
                made.append(Row(first, row.cells))
            case "Except":
                made.append(Row(both(first, opposite(several)), row.cells))
            case "Intersect":
                made.append(Row(both(first, several), row.cells))
            case "ExceptAll":
                made.append(Row(both(first, less(theirs, mine)), row.cells, total([mine, times(theirs, -1)])))
            case _:
                fewer = chosen(less(mine, theirs), mine, theirs)
                made.append(Row(both(first, several), row.cells, fewer))
    return made


def copies(row: Row, rows: Sequence[Row]) -> Value:
    """How often a row is among ``rows``."""
    return total(chosen(both(each.present, all_alike(row.cells, each.cells)), each.count, 0) for each in rows)


def differ(left: Sequence[Row], right: Sequence[Row]) -> Flag:
    """Whether two lists of rows are different bags."""
    return either(
        *(both(row.present, opposite(equal(copies(row, left), copies(row, right)))) for row in (*left, *right))
    )
