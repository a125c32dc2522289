"""Make the jar that a JVM is started with to have probes: a manifest that names the agent's class.

The class itself is in the jar of the Scala sources, which is on the same class path.
"""

from __future__ import annotations

import hashlib
import tempfile
import zipfile
from pathlib import Path

from jars.build import TARGET, only_one

AGENT_CLASS = "org.apache.spark.sql.assay.probes.Agent"
_MANIFEST = f"Manifest-Version: 1.0\nPremain-Class: {AGENT_CLASS}\nCan-Retransform-Classes: true\n\n"


def agent_jar(target: Path = TARGET) -> Path:
    """The agent's jar in ``target``, made if it isn't there; safe to call from several processes at once.

    The jar's name carries a hash of its manifest, so a jar of another manifest is never taken for it.
    """
    jar = target / f"assay-agent-{hashlib.sha256(_MANIFEST.encode()).hexdigest()[:16]}.jar"
    with only_one(target):
        if not jar.exists():
            with tempfile.TemporaryDirectory(prefix=".agent-", dir=target) as scratch:
                fresh = Path(scratch) / jar.name
                with zipfile.ZipFile(fresh, "w") as file:
                    file.writestr("META-INF/MANIFEST.MF", _MANIFEST)
                fresh.replace(jar)
    return jar
