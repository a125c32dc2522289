"""The layout, held by reading the sources: imports go one way, modules stay small and are named for what they do."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 400
"""Lines of a module; a longer one holds two ideas."""

SEES = {
    "strategies.ir": {"strategies.ir"},
    "strategies": {"strategies.ir", "strategies"},
    "jars": {"jars"},
    "oracles": {"strategies.ir", "strategies", "jars", "oracles"},
    "tests": {"strategies.ir", "strategies", "jars", "oracles", "tests"},
}
"""What a module of each layer may import of ours."""

PATHS = sorted(
    path.relative_to(ROOT)
    for path in [
        ROOT / "conftest.py",
        *(p for top in ("jars", "oracles", "strategies", "tests") for p in (ROOT / top).rglob("*.py")),
    ]
)


def layer_of(name: str) -> str | None:
    """The layer of a module by its dotted name; None for what isn't ours."""
    first = name.split(".", maxsplit=1)[0]
    if name == "strategies.ir" or name.startswith("strategies.ir."):
        return "strategies.ir"
    return "tests" if first == "conftest" else first if first in SEES else None


def dotted(path: Path) -> str:
    """``oracles.rows`` of oracles/rows.py; a package is called like its folder."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def imported(source: str) -> Iterator[str]:
    """Dotted names that ``source`` imports, wherever it does; what is imported from a package may be a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None, "relative imports hide where they go"
            whole = node.module == "strategies" and all(alias.name == "ir" for alias in node.names)
            yield "strategies.ir" if whole else node.module


def wrong_way(layer: str, source: str) -> set[str]:
    """Names that ``source`` imports although its layer must not."""
    return {name for name in imported(source) if layer_of(name) not in {None, *SEES[layer]}}


@pytest.mark.parametrize("path", PATHS, ids=dotted)
def test_imports_go_one_way(path: Path) -> None:
    layer = layer_of(dotted(path))
    assert layer is not None
    assert wrong_way(layer, (ROOT / path).read_text(encoding="utf-8")) == set()


IR = [path for path in PATHS if path.parts[:2] == ("strategies", "ir")]
BUILD = [path for path in PATHS if path.parts[0] == "jars"]


@pytest.mark.parametrize("path", [*IR, *BUILD], ids=dotted)
def test_the_algebra_and_the_build_need_nothing_but_the_standard_library(path: Path) -> None:
    names = {name.split(".")[0] for name in imported((ROOT / path).read_text(encoding="utf-8"))}
    assert names <= {*sys.stdlib_module_names, path.parts[0]}


ENGINES = {"pyspark", "duckdb", "py4j", "pyarrow"}
STRATEGIES = [path for path in PATHS if path.parts[0] == "strategies"]


@pytest.mark.parametrize("path", STRATEGIES, ids=dotted)
def test_what_is_asked_knows_nothing_of_engines(path: Path) -> None:
    names = {name.split(".")[0] for name in imported((ROOT / path).read_text(encoding="utf-8"))}
    assert not names & ENGINES


@pytest.mark.parametrize("path", PATHS, ids=dotted)
def test_modules_stay_small(path: Path) -> None:
    assert len((ROOT / path).read_text(encoding="utf-8").splitlines()) <= LONGEST


VAGUE = {"util", "utils", "common", "helper", "helpers", "misc"}


@pytest.mark.parametrize("path", PATHS, ids=dotted)
def test_modules_are_named_for_what_they_do(path: Path) -> None:
    assert not VAGUE & {part for name in path.with_suffix("").parts for part in (name, *name.split("_"))}


SOURCES = {
    "up": ("strategies", "from oracles.rows import same", {"oracles.rows"}),
    "up, inside of a function": ("oracles", "def f():\n    import tests.unit", {"tests.unit"}),
    "up, from the algebra": ("strategies.ir", "from strategies.cases import cases", {"strategies.cases"}),
    "up, among others": ("strategies.ir", "from strategies import ir, cases", {"strategies"}),
    "to the set-up of tests": ("oracles", "import conftest", {"conftest"}),
    "aside": ("jars", "import strategies.ir", {"strategies.ir"}),
    "down": ("tests", "import oracles.rows\nfrom strategies import ir\nfrom strategies.ir import Scan", set()),
    "down, to the algebra": ("strategies", "from strategies import ir", set()),
    "within a layer": ("strategies.ir", "from strategies.ir import node\nimport strategies.ir.types", set()),
    "elsewhere": ("strategies.ir", "import json\nfrom strategies_of_others import x", set()),
}


@pytest.mark.parametrize(("layer", "source", "wrong"), SOURCES.values(), ids=SOURCES)
def test_an_import_that_goes_the_wrong_way_is_seen(layer: str, source: str, wrong: set[str]) -> None:
    assert wrong_way(layer, source) == wrong
