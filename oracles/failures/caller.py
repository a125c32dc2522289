"""The folder of whoever started the process."""

from __future__ import annotations

import os
from pathlib import Path


def caller_folder() -> Path:
    """The folder that relative paths are taken from: the caller's, even where tox runs us in the project's root.

    tox's own folder is its caller's, where the system shows it; PWD is the next best (it is stale where a program,
    not a shell, started tox). To be asked in the process that tox started, not in that one's workers.
    """
    if "TOX_ENV_NAME" not in os.environ:
        return Path.cwd()
    try:
        return Path(f"/proc/{os.getppid()}/cwd").readlink()
    except OSError:
        shell = os.environ.get("PWD", "")
        return Path(shell) if shell and Path(shell).is_dir() else Path.cwd()
