"""The layout, held by reading the sources: imports go one way, modules stay small and are named for what they do."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 400
"""Lines of a module; a longer one holds two ideas."""

LAYERS = (
    "strategies.ir",
    "strategies.draw",
    "strategies.shapes",
    "strategies.edits",
    "jars",
    "oracles.answers",
    "oracles.rules",
    "oracles.sql",
    "oracles.engines",
    "oracles.patterns",
    "oracles.checks",
    "oracles.failures",
    "oracles.triage",
    "oracles.reductions",
    "assay.session",
    "assay.options",
    "assay.fuzz",
    "assay.coverage",
    "assay.proof",
    "assay.verify",
    "assay.evaluation",
    "assay.ledger",
    "assay.queries",
    "assay.volume",
    "assay.campaign",
    "assay.report",
    "assay.bench",
    "assay.releases",
    "assay.replay",
    "assay.commands",
    "assay.__main__",
    "tests",
)
"""Every package of ours; a module may import those of its own package and of packages before it."""

ALONE = {"strategies.ir", "jars"}
"""Packages that see nothing of ours but themselves."""

LARGEST = 30
"""Modules of a package of oracles, those of its packages not counted."""

PATHS = sorted(
    path.relative_to(ROOT)
    for path in [
        ROOT / "conftest.py",
        *(p for top in ("assay", "jars", "oracles", "strategies", "tests") for p in (ROOT / top).rglob("*.py")),
    ]
)


def layer_of(name: str) -> str | None:
    """The layer of a module by its dotted name; None for what isn't ours, or is a package of layers alone."""
    first, _, rest = name.partition(".")
    if first == "conftest":
        return "tests"
    return first if first in LAYERS else f"{first}.{rest.split('.')[0]}" if first in TOPS and rest else None


TOPS = {layer.split(".")[0] for layer in LAYERS}


def dotted(path: Path) -> str:
    """``oracles.answers.rows`` of oracles/answers/rows.py; a package is called like its folder."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def imported(source: str) -> Iterator[str]:
    """Dotted names that ``source`` imports, wherever it does: ``package.name`` of what is imported from a package."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None, "relative imports hide where they go"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def may_see(layer: str) -> set[str]:
    """The layers that a module of ``layer`` may import."""
    return {layer} if layer in ALONE else set(LAYERS[: LAYERS.index(layer) + 1])


def wrong_way(layer: str, source: str) -> set[str]:
    """Names that ``source`` imports although its layer must not."""
    return {name for name in imported(source) if layer_of(name) not in {None, *may_see(layer)}}


@pytest.mark.parametrize("path", [path for path in PATHS if layer_of(dotted(path))], ids=dotted)
def test_imports_go_one_way(path: Path) -> None:
    layer = layer_of(dotted(path))
    assert layer in LAYERS, f"{path} is in no package of LAYERS"
    assert wrong_way(layer, (ROOT / path).read_text(encoding="utf-8")) == set()


def test_packages_of_packages_hold_no_modules() -> None:
    loose = [dotted(path) for path in PATHS if layer_of(dotted(path)) is None]
    assert loose == [top for top in sorted(TOPS) if top not in LAYERS]


def imports_of(sources: dict[str, str]) -> dict[str, set[str]]:
    """For each module the modules of ``sources`` that it imports; importing a name of a package imports the package."""
    graph = {}
    for name, source in sources.items():
        parents = {found if found in sources else found.rpartition(".")[0] for found in imported(source)}
        graph[name] = (parents & set(sources)) - {name}
    return graph


def cycle_in(graph: dict[str, set[str]]) -> list[str]:
    """Modules of which each imports the next one, and the last one the first; none where there is no such list."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_module_imports_itself_by_way_of_others() -> None:
    sources = {dotted(path): (ROOT / path).read_text(encoding="utf-8") for path in PATHS}
    assert cycle_in(imports_of(sources)) == []


CYCLES = {
    "two modules": ({"a": "import b", "b": "import a"}, True),
    "three, one import in a function": ({"a": "import b", "b": "def f():\n    from c import x", "c": "import a"}, True),
    "by way of a package": ({"p": "from p.a import x", "p.a": "from p import x"}, True),
    "a module of a package, which the package's own module imports": ({"p": "from p.a import x", "p.a": ""}, False),
    "a row": ({"a": "from b import c", "b": "import json", "b.c": ""}, False),
}


@pytest.mark.parametrize(("sources", "cyclic"), CYCLES.values(), ids=CYCLES)
def test_a_cycle_is_seen(sources: dict[str, str], cyclic: bool) -> None:
    assert bool(cycle_in(imports_of(sources))) == cyclic


@pytest.mark.parametrize("layer", [layer for layer in LAYERS if layer.startswith("oracles.")])
def test_packages_stay_small(layer: str) -> None:
    folders = Counter(path.parent for path in PATHS if layer_of(dotted(path)) == layer)
    assert max(folders.values()) <= LARGEST


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
    "up": ("strategies.draw", "from oracles.answers.rows import same", {"oracles.answers.rows.same"}),
    "up, inside of a function": ("oracles.checks", "def f():\n    import tests.unit", {"tests.unit"}),
    "up, from the algebra": ("strategies.ir", "from strategies.draw.cases import c", {"strategies.draw.cases.c"}),
    "up, among others": ("strategies.ir", "from strategies import ir, draw", {"strategies.draw"}),
    "up, among packages of one top": ("oracles.sql", "from oracles.checks import check", {"oracles.checks.check"}),
    "up, to the product": ("oracles.triage", "import assay.fuzz.fuzzer", {"assay.fuzz.fuzzer"}),
    "to a package that is no layer": ("tests", "import oracles.loose", {"oracles.loose"}),
    "to the set-up of tests": ("oracles.rules", "import conftest", {"conftest"}),
    "aside": ("jars", "import strategies.ir", {"strategies.ir"}),
    "down": ("tests", "import oracles.answers.rows\nfrom strategies import ir\nfrom strategies.ir import Scan", set()),
    "down, to the algebra": ("strategies.draw", "from strategies import ir", set()),
    "within a layer": ("strategies.ir", "from strategies.ir import node\nimport strategies.ir.types", set()),
    "elsewhere": ("strategies.ir", "import json\nfrom strategies_of_others import x", set()),
}


@pytest.mark.parametrize(("layer", "source", "wrong"), SOURCES.values(), ids=SOURCES)
def test_an_import_that_goes_the_wrong_way_is_seen(layer: str, source: str, wrong: set[str]) -> None:
    assert wrong_way(layer, source) == wrong
