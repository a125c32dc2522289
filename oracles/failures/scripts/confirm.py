"""Confirm a finding: run its script in a process of its own, on a Spark session without Assay."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from oracles.engines.spark.home import python_path
from oracles.engines.spark.java import java_environment
from oracles.failures.confirmation import Stock
from oracles.failures.failure import Failure
from oracles.failures.scripts.own_rules import StockRule
from oracles.failures.scripts.script import NO_DIFFERENCE, SHOWS, NoScript, Script, script_of
from oracles.rules.rule import Rule

_LIMIT = 600.0
"""Seconds that a script may take: it starts a session, and runs each leg twice."""


@dataclass(frozen=True, slots=True)
class StockSpark:
    """A stock Spark: the installed one, or the distribution at ``spark_home``; ``own`` are the rules in its scripts."""

    spark_home: Path | None = None
    time_limit: float = _LIMIT
    own: tuple[StockRule, ...] = ()

    def asked(self, script: Script) -> Stock:
        """Run ``script`` there, in a process and a session of its own, and report the result."""
        with tempfile.TemporaryDirectory(prefix="assay-stock-") as folder:
            path = Path(folder) / "script.py"
            path.write_text(script.text, encoding="utf-8")
            try:
                done = subprocess.run(
                    [sys.executable, str(path)],
                    cwd=folder,
                    env=self._environment(),
                    capture_output=True,
                    text=True,
                    timeout=self.time_limit,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return Stock("impossible", f"the script had not ended after {self.time_limit:.0f} s")
        return _stock(done.returncode, done.stdout, done.stderr, script.doubts)

    def _environment(self) -> Mapping[str, str]:
        environment = {**os.environ, **java_environment()}
        environment.pop("SPARK_HOME", None)
        if self.spark_home is not None:
            given = environment.get("PYTHONPATH")
            paths = [*map(str, python_path(self.spark_home)), *([given] if given else [])]
            environment |= {"SPARK_HOME": str(self.spark_home), "PYTHONPATH": os.pathsep.join(paths)}
        return environment


def _stock(code: int, told: str, errors: str, doubts: Sequence[str]) -> Stock:
    """Read the result from exit code and output: a failed interpreter ends with code 1, too."""
    titles = [line for line in told.splitlines() if not line.startswith(" ")]
    if code == 1 and titles and titles[-1].endswith(SHOWS):
        return Stock("confirmed", titles[-1].removesuffix(f": {SHOWS}"))
    if code == 0 and titles and titles[-1].endswith(NO_DIFFERENCE):
        return Stock("impossible", "; ".join(doubts)) if doubts else Stock("assay-only", "its script ends with 0")
    unsure = [line for line in titles[1:] if not line.endswith((SHOWS, NO_DIFFERENCE))]
    last = [line for line in errors.splitlines() if line.strip()] or [f"it ended with {code}"]
    return Stock("impossible", (unsure or last)[-1][:300])


def with_script(
    failure: Failure, rules: Sequence[Rule], own: Sequence[StockRule] = ()
) -> tuple[Failure, Script | None]:
    """``failure`` and its script; without a script, the failure's ``stock`` has the reason."""
    try:
        return failure, script_of(failure, rules, own)
    except NoScript as reason:
        return replace(failure, stock=Stock("impossible", str(reason))), None
