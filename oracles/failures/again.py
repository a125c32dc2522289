"""The command line that replays a failure file: by tox in a checkout, by ``assay`` where Assay is installed."""

from __future__ import annotations

import shlex

from jars.build import is_checkout

OLDER = ("3.5", "4.0", "4.1", "4.2")
"""The releases of Spark that have an environment of tox of their own; the plain environments run the newest."""


def replay_command(*arguments: str, spark: str) -> str:
    """The command that runs ``replay`` with ``arguments`` on the release of ``spark`` (``4.0.1``), for a shell."""
    release = ".".join(spark.split(".")[:2])
    factor = f"-spark{release.replace('.', '')}" if release in OLDER else ""
    start = f"tox run -e replay{factor} --" if is_checkout() else "assay replay"
    return shlex.join([*start.split(), *arguments])
