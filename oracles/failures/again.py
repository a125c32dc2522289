"""The command line that replays a failure file: by tox in a checkout, by ``assay`` where Assay is installed."""

from __future__ import annotations

import shlex

from jars.build import is_checkout


def replay_command(*arguments: str) -> str:
    """The command that runs ``replay`` with ``arguments``, as a shell takes it."""
    start = "tox run -e replay --" if is_checkout() else "assay replay"
    return shlex.join([*start.split(), *arguments])
