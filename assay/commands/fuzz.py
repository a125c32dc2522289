"""``assay fuzz``: random queries with rules on, with rules off, and on DuckDB."""

from __future__ import annotations

from assay.commands.pytest_runs import PytestCommand

command = PytestCommand(
    "fuzz",
    "Check random queries with rules on, with rules off, and on DuckDB.",
    folder="fuzz",
    without=("--by",),
    example="tox run -e fuzz -- --max-examples 5000 --rule PushDownPredicates",
)
