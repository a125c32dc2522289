"""Shapes that a user supplies: the functions of a Python file, each of which returns a strategy."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from inspect import Parameter, signature
from pathlib import Path
from types import ModuleType
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis.strategies import SearchStrategy

from assay.fuzz.case_mix import forms_of
from assay.session.ending import BadInput
from strategies.draw.cases import cases_of
from strategies.ir import Case, Database, Relation
from strategies.shapes import Shape

_TRIED = 5
"""The number of examples drawn from each strategy before the run starts, to find its errors early."""


def load_own_shapes(path: Path) -> dict[str, Shape]:
    """The shapes in the file at ``path``, by function name; BadInput, in one line, if a shape can't be loaded.

    Every public function that the file defines and that needs no argument must return a strategy of cases, or of pairs
    of a database and a query over it. For a pair, Assay draws the rows and the settings.
    """
    module = _module(path)
    functions = [each for name, each in vars(module).items() if not name.startswith("_") and _is_own(each, module)]
    if not functions:
        raise BadInput(f"--shapes {path}: has no public function without arguments")
    return {each.__name__: _shape(path, each) for each in functions}


def _module(path: Path) -> ModuleType:
    spec = spec_from_file_location(f"own_shapes_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadInput(f"--shapes {path}: is no Python file")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise BadInput(f"--shapes {path}{_line(error, path)}: {_told(error)}") from error
    return module


def _is_own(value: Any, module: ModuleType) -> bool:
    if not callable(value) or isinstance(value, type) or getattr(value, "__module__", None) != module.__name__:
        return False
    return all(each.default is not Parameter.empty for each in signature(value).parameters.values())


def _shape(path: Path, function: Callable[[], Any]) -> Shape:
    name = function.__name__
    try:
        strategy = function()
        if not isinstance(strategy, SearchStrategy):
            raise TypeError(f"returns a {type(strategy).__name__}, not a strategy")
        drawn = _examples(strategy)
    except Exception as error:
        raise BadInput(f"--shapes {path}{_line(error, path)}: {name}: {_told(error)}") from error
    if all(isinstance(each, Case) for each in drawn):
        return Shape(name, function, ())
    if all(_is_question(each) for each in drawn):
        return Shape(name, lambda: cases_of(function(), forms_of=forms_of), ())
    raise BadInput(
        f"--shapes {path}: {name}: draws {type(drawn[0]).__name__}, neither a Case nor a pair of Database and query"
    )


def _examples(strategy: SearchStrategy[Any]) -> list[Any]:
    drawn: list[Any] = []

    @settings(max_examples=_TRIED, phases=(Phase.generate,), database=None, deadline=None, derandomize=True)
    @given(strategy)
    def collect(example: Any) -> None:
        drawn.append(example)

    collect()
    return drawn


def _is_question(value: Any) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and isinstance(value[0], Database)
        and isinstance(value[1], Relation)
    )


def _line(error: Exception, path: Path) -> str:
    if isinstance(error, SyntaxError):
        return f":{error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f":{lines[-1]}" if lines else ""


def _told(error: Exception) -> str:
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {(text.splitlines() or [''])[0]}"
