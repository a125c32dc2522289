"""The reducer makes recursions smaller, and keeps what their step needs when columns go."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracles.reductions.recursion import refit_recursive
from oracles.reductions.reducer import reduce
from oracles.reductions.repoint import Fit
from strategies.ir import (
    INT,
    And,
    Case,
    Col,
    Compare,
    InSubquery,
    IsNull,
    Item,
    Project,
    Recursive,
    Relation,
    walk,
)
from tests.unit.ir_samples import RELATIONS, T0, A, B, case_over
from tests.unit.recursion_samples import RECURSIONS, K, X

BOTH = Recursive(T0, ("x", "y", "z", "w", "k"), 3, (Item("x", K),), And(IsNull(X), Compare("<", X, K)))


def found(query: Relation) -> Recursive:
    """The only recursion in ``query``."""
    (one,) = (node for node in walk(query) if isinstance(node, Recursive))
    return one


def kept(name: str, needs: Callable[[Recursive], bool]) -> Recursive:
    """The recursion that a reduction leaves of the sample ``name``, where it keeps one of which ``needs`` is true."""

    def fails(case: Case) -> bool:
        made = [node for node in walk(case.query) if isinstance(node, Recursive)]
        return any(map(needs, made))

    case = case_over(RELATIONS[name])
    assert fails(case)
    return found(reduce(case, fails, deadline_seconds=1e9).case.query)


@pytest.mark.parametrize("name", RECURSIONS)
def test_one_that_is_needed_is_bare(name: str) -> None:
    query = kept(name, lambda query: True)
    assert (query.steps, query.changes, query.condition) == (0, (), None)
    assert len(query.fields) == 2


def test_steps_that_are_needed_stay() -> None:
    assert kept("recursive-with-changes", lambda query: query.steps > 1).steps == 2


def test_a_change_that_is_needed_stays_with_its_columns() -> None:
    query = kept("recursive-with-changes", lambda query: any(item.name == "b" for item in query.changes))
    assert [item.name for item in query.changes] == ["b"]
    assert query.condition is None
    assert query.names == ("b", "k")


def test_a_subquery_that_is_needed_stays() -> None:
    query = kept("recursive-by-not-in-subquery", lambda query: isinstance(query.condition, InSubquery))
    assert (query.steps, query.changes) == (0, ())


# An anchor with other columns.


def test_a_column_keeps_its_name_and_what_reads_a_lost_one_goes() -> None:
    narrow = Project(T0, (Item("b", B), Item("a", A)))
    fit = refit_recursive(BOTH, Fit(narrow, (1, 0, None, None)))
    assert fit.relation == Recursive(narrow, ("y", "x", "k"), 3, (Item("x", K),), And(IsNull(X), Compare("<", X, K)))
    assert fit.places == (1, 0, None, None, 2)
    without = Project(T0, (Item("b", B),))
    assert refit_recursive(BOTH, Fit(without, (None, 0, None, None))).relation == Recursive(without, ("y", "k"), 3)


def test_a_column_that_comes_in_has_a_name_of_its_own() -> None:
    wide = Project(T0, (Item("b", B), Item("a", A), Item("x1", A)))
    fit = refit_recursive(Recursive(Project(T0, (Item("a", A),)), ("X1", "k")), Fit(wide, (1,)))
    assert fit.relation == Recursive(wide, ("x2", "X1", "x3", "k"))


def test_two_columns_that_become_one_have_the_first_ones_name_and_change() -> None:
    one = Project(T0, (Item("a", A),))
    pair = Project(T0, (Item("a", A), Item("c", A)))
    changes = (Item("c", K), Item("a", Col("c", INT)))
    fit = refit_recursive(Recursive(pair, ("a", "c", "k"), 1, changes), Fit(one, (0, 0)))
    assert fit.relation == Recursive(one, ("a", "k"), 1, (Item("a", K),))


def test_a_change_of_another_type_goes() -> None:
    other = Project(T0, (Item("a", B),))
    fit = refit_recursive(Recursive(Project(T0, (Item("a", A),)), ("a", "k"), 1, (Item("a", K),)), Fit(other, (0,)))
    assert fit.relation == Recursive(other, ("a", "k"))
