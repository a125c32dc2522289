"""What a fuzz run draws: cases of all kinds, and which rules the off leg turns off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from hypothesis import strategies as st

from assay.fuzz.policy import DrawOff, draw_fixed, draw_mixed, draw_subset
from assay.session.options import Off
from oracles.rules.catalogue import Catalogue
from oracles.sql import DataFrameCompiler, SparkCompiler
from strategies.draw.cases import cases
from strategies.draw.draws import one_in, pick, without_mutation
from strategies.ir import Case, Form, Relation
from strategies.shapes import Shape
from strategies.shapes.composites import COMPOSITES

_SQL = SparkCompiler()
_DATAFRAMES = DataFrameCompiler()
_SHAPE_SHARE = 4
"""One case in so many is a rule's own shape: often enough that no rule depends on luck."""

_COMPOSITE_SHARE = 4
"""Of these, one in so many has one rule's output below another's input."""


def forms_of(query: Relation) -> tuple[Form, ...]:
    """The forms that a query can be run in: SQL unless it has none, the DataFrame program where there is one."""
    forms: list[Form] = []
    if _SQL.supports(query):
        forms.append("sql")
    if _DATAFRAMES.supports(query):
        forms.append("dataframe")
    return tuple(forms)


def fuzz_cases(shapes: Mapping[str, Shape], rules: Sequence[str]) -> st.SearchStrategy[Case]:
    """General cases, with some of every rule's shape and near misses, and of the composite shapes, among them.

    Where ``rules`` are named, their own shapes make up half of it, so that what is asked about gets to fire.
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
    """Queries of any kind, and nothing else."""
    return without_mutation(cases(forms_of=forms_of))


def shape_cases(shape: Shape) -> st.SearchStrategy[Case]:
    """Of one rule's shape: as many cases on which it fires as near misses, those that show a known bug among them."""
    return without_mutation(_shape_cases(shape))


def composite_cases(name: str) -> st.SearchStrategy[Case]:
    """Of one composite shape."""
    return without_mutation(COMPOSITES[name]())


def off_policy(off: Off | None, rules: Sequence[str], catalogue: Catalogue) -> DrawOff:
    """How the off leg is drawn: the named rules, with those that do their work, unless ``off`` says otherwise; without
    any a mixture.
    """
    if off == "all":
        return draw_fixed(catalogue.switchable())
    if off == "subset":
        return draw_subset
    return draw_fixed([catalogue.rule(name) for name in rules]) if rules else draw_mixed
