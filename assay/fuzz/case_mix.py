"""The mix of cases that a fuzz run draws, and the choice of rules that the off leg turns off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hypothesis import strategies as st

from assay.fuzz.policy import DrawOff, draw_fixed, draw_mixed, draw_one, draw_subset
from assay.session.options import Off
from oracles.rules.catalogue import Catalogue
from oracles.sql import DataFrameCompiler, SparkCompiler, needs_methods
from strategies.draw.cases import cases
from strategies.draw.draws import one_in, pick, without_mutation
from strategies.ir import Case, Form, Relation
from strategies.shapes import Shape
from strategies.shapes.composites import COMPOSITES

_SQL = SparkCompiler()
_DATAFRAMES = DataFrameCompiler()
_SHAPE_SHARE = 4
"""One case in this many comes from a shape: often enough that every rule gets cases on which it fires."""

_COMPOSITE_SHARE = 4
"""One in this many of the cases from shapes comes from a composite shape, which feeds one rule's output to another."""


def forms_of(query: Relation) -> tuple[Form, ...]:
    """The forms in which a query can run: SQL and a DataFrame program, each if its compiler supports the query.

    DataFrames come first if they alone have a method for what the query says.
    """
    forms: list[Form] = []
    if _SQL.supports(query):
        forms.append("sql")
    if _DATAFRAMES.supports(query):
        forms.append("dataframe")
    return tuple(reversed(forms)) if needs_methods(query) else tuple(forms)


def fuzz_cases(shapes: Mapping[str, Shape], rules: Sequence[str]) -> st.SearchStrategy[Case]:
    """General cases, mixed with cases of every rule's shape, of near misses and of composite shapes.

    If ``rules`` are named, half of the cases come from the shapes of these rules, so that these rules fire often.
    """
    general = cases(forms_of=forms_of)
    named = [shapes[name] for name in rules if name in shapes]
    chosen = named or [shape for shape in shapes.values() if not shape.own]
    if not chosen:
        return general
    composites = [] if named else list(COMPOSITES.values())
    return without_mutation(_mixed(general, chosen, composites, 2 if named else _SHAPE_SHARE))


@st.composite
def _mixed(
    draw: st.DrawFn,
    general: st.SearchStrategy[Case],
    shapes: Sequence[Shape],
    composites: Sequence[Callable[[], st.SearchStrategy[Case]]],
    one_case_in: int,
) -> Case:
    # By hand: one_of takes nested alternatives apart, and shapes have so many that they would be nearly all.
    if draw(st.integers(1, one_case_in)) < one_case_in:
        return draw(general)
    if composites and one_in(draw, _COMPOSITE_SHARE):
        return draw(pick(draw, composites)())
    return _of_shape(draw, draw(st.sampled_from(shapes)))


def _of_shape(draw: st.DrawFn, shape: Shape) -> Case:
    near = [miss.cases for miss in shape.near_misses]
    # As many of one as of the other: of many near misses most are cases on which the rule has nothing to do.
    return draw(draw(st.sampled_from([*[shape.fires] * max(2, len(near)), *near]))())


@st.composite
def _shape_cases(draw: st.DrawFn, shape: Shape) -> Case:
    return _of_shape(draw, shape)


def general_cases() -> st.SearchStrategy[Case]:
    """General cases only, without shapes."""
    return without_mutation(cases(forms_of=forms_of))


def shape_cases(shape: Shape) -> st.SearchStrategy[Case]:
    """Cases of one rule's shape: as many on which the rule fires as near misses, including those of known bugs."""
    return without_mutation(_shape_cases(shape))


def composite_cases(name: str) -> st.SearchStrategy[Case]:
    """Cases of the composite shape ``name``."""
    return without_mutation(COMPOSITES[name]())


def off_policy(off: Off | None, rules: Sequence[str], catalogue: Catalogue) -> DrawOff:
    """The function that draws the rules to turn off on the off leg.

    With ``off`` 'all' the function draws all rules that can be turned off, with 'subset' some of the rules that changed
    the plan. Otherwise it draws one of the named ``rules`` and the rules that do its work; without names it draws all
    rules that changed the plan, or a subset of them.
    """
    if off == "all":
        return draw_fixed(catalogue.switchable())
    if off == "subset":
        return draw_subset
    return draw_one([catalogue.rule(name) for name in rules]) if rules else draw_mixed
