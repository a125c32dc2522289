"""``assay mutants``: planted wrong rules, each of which must be convicted."""

from __future__ import annotations

from assay.commands.pytest_runs import PytestCommand

command = PytestCommand(
    "mutants",
    "Plant wrong rules one at a time; each must be convicted.",
    folder="mutants",
    without=("--max-examples", "--rule", "--rule-jar", "--extensions", "--off", "--known"),
    example="tox run -e mutants -- --by general --hypothesis-seed 2",
)
