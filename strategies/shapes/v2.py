"""Common parts of shapes over tables of the source "v2", whose capabilities are drawn or given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from strategies.draw.cases import cases_of
from strategies.ir import Capability, Case
from strategies.shapes.forms import Question, any_form

Capabilities = tuple[Capability, ...]


@st.composite
def _v2_cases(
    draw: DrawFn, questions: SearchStrategy[Question], capabilities: Callable[[DrawFn], Capabilities], others: Any
) -> Case:
    case = draw(cases_of(questions, forms_of=any_form))
    settings = replace(case.settings.quickened(), source="v2", capabilities=capabilities(draw), **others)
    return replace(case, settings=settings)


def v2_cases(
    questions: SearchStrategy[Question], capabilities: Callable[[DrawFn], Capabilities], **others: Any
) -> SearchStrategy[Case]:
    """Cases of ``questions`` over tables with the capabilities that are drawn, and with ``others`` of the settings."""
    return _v2_cases(questions, capabilities, others)


def always(*capabilities: Capability) -> Callable[[DrawFn], Capabilities]:
    """Draws these ``capabilities``."""
    return lambda draw: capabilities
