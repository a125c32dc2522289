"""Make the jar that a JVM is started with to have probes: a manifest that names the agent's class.

The class itself is in the jar of the Scala sources, which is on the same class path.
"""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path

from jars.build import TARGET, only_one

AGENT_CLASS = "org.apache.spark.sql.assay.probes.Agent"
_MANIFEST = f"Manifest-Version: 1.0\nPremain-Class: {AGENT_CLASS}\nCan-Retransform-Classes: true\n\n"
_NAME = "assay-agent.jar"


def agent_jar(target: Path = TARGET) -> Path:
    """The agent's jar in ``target``, made if it isn't there; safe to call from several processes at once."""
    jar = target / _NAME
    with only_one(target):
        if not jar.exists():
            with tempfile.TemporaryDirectory(prefix=".agent-", dir=target) as scratch:
                fresh = Path(scratch) / _NAME
                with zipfile.ZipFile(fresh, "w") as file:
                    file.writestr("META-INF/MANIFEST.MF", _MANIFEST)
                fresh.replace(jar)
    return jar
