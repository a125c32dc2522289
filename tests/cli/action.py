"""The steps of action.yml as GitHub runs them: each ``run`` in bash, with the inputs in its variables."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.cli.assay import ROOT, Ended

ACTION: Mapping[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = [step for step in ACTION["runs"]["steps"] if "run" in step]
BASH = ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c")
"""GitHub's own command for ``shell: bash``."""

EXPRESSION = re.compile(r"\$\{\{\s*(.+?)\s*\}\}")
_LEFT_OUT = ("PYTEST_", "TOX_", "PYTHONPATH", "VIRTUAL_ENV", "ASSAY_")


@dataclass(frozen=True)
class Job:
    """A job of GitHub's with one step, the action: the folder of its files, those of the runner, and the inputs."""

    workspace: Path
    temporary: Path
    inputs: Mapping[str, str] = field(default_factory=dict)

    @property
    def output(self) -> Path:
        """The file of GITHUB_OUTPUT."""
        return self.temporary / "output"

    @property
    def summary(self) -> Path:
        """The file of GITHUB_STEP_SUMMARY."""
        return self.temporary / "summary.md"

    @property
    def known(self) -> dict[str, str]:
        """The value of each expression that a step may use."""
        given = {name: str(self.inputs.get(name, how["default"])) for name, how in ACTION["inputs"].items()}
        assert set(self.inputs) <= set(given)
        return {
            **{f"inputs.{name}": value for name, value in given.items()},
            "github.action_path": str(ROOT),
            "runner.temp": str(self.temporary),
        }

    def run(self, step: Mapping[str, Any], **environ: str) -> Ended:
        """Run one step to its end."""
        assert step["shell"] == "bash"
        assert not EXPRESSION.search(step["run"]), "an expression in a script is a way to inject one: use env"
        plain = {name: value for name, value in os.environ.items() if not name.startswith(_LEFT_OUT)}
        own = {name: self._filled(str(value)) for name, value in step["env"].items()}
        files = {"GITHUB_OUTPUT": str(self.output), "GITHUB_STEP_SUMMARY": str(self.summary)}
        done = subprocess.run(
            [*BASH, step["run"]],
            cwd=self.workspace,
            env={**plain, **files, **environ, **own},
            capture_output=True,
            text=True,
            check=False,
        )
        return Ended(done.returncode, done.stdout + done.stderr)

    def run_all(self, **environ: str) -> Iterator[tuple[str, Ended]]:
        """Run the steps one after the other, up to the first that fails; each with its name."""
        for step in STEPS:
            ended = self.run(step, **environ)
            yield step["name"], ended
            if ended.code:
                return

    def _filled(self, text: str) -> str:
        return EXPRESSION.sub(lambda found: self.known[found[1]], text)
