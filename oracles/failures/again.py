"""The command lines that show a finding again: ``replay`` of its file, and the script beside it.

``replay`` is tox's in a checkout, ``assay``'s where Assay is installed. A finding of a ``--spark-home`` run names that
Spark in both: the Spark of the shell's Python may be another one.
"""

from __future__ import annotations

import shlex
from pathlib import Path

from jars.build import ROOT, is_checkout
from oracles.engines.spark.home import environment_of
from oracles.failures.failure import Failure

CHECKOUT = ROOT.parent

OLDER = ("3.5", "4.0", "4.1", "4.2")
"""The releases of Spark that have an environment of tox of their own; the plain environments run the newest."""


def replay_command(*arguments: str, failure: Failure, folder: Path = CHECKOUT) -> str:
    """The command that runs ``replay`` with ``arguments`` on the release and the Spark of ``failure``, for a shell.

    :param folder: where the command is to be given; tox finds its project in it and above, and nowhere else.
    """
    release = ".".join(failure.versions.get("spark", "").split(".")[:2])
    factor = f"-spark{release.replace('.', '')}" if release in OLDER else ""
    project = [] if CHECKOUT in (folder, *folder.parents) else ["-c", str(CHECKOUT)]
    tox = ["tox", "run", *project, "-e", f"replay{factor}", "--"]
    start = tox if is_checkout() else ["assay", "replay"]
    home = failure.subject.spark_home
    where = ["--spark-home", home] if home is not None else []
    return shlex.join([*start, *where, *arguments])


def script_command(script: str, *, failure: Failure) -> str:
    """The command that runs ``script`` on the Spark of ``failure``, for a shell.

    A script takes no options, as any program for Spark: its environment says which Spark it runs.
    """
    home = failure.subject.spark_home
    given = environment_of(Path(home)).items() if home is not None else ()
    return " ".join([*(f"{name}={shlex.quote(value)}" for name, value in given), shlex.join(["python", script])])
