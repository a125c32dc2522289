"""The dependencies of the wheel, taken from the dependency groups of pyproject.toml."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import tomllib
from hatchling.metadata.plugin.interface import MetadataHookInterface

_EXTRA = re.compile(r"spark\d+|proof")


class Dependencies(MetadataHookInterface):
    """The group `installed` as the wheel's dependencies, for each release of Spark an extra, and one for proofs."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the dependencies to ``metadata``."""
        groups = tomllib.loads(Path(self.root, "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
        metadata["dependencies"] = groups["installed"]
        metadata["optional-dependencies"] = {
            name: [each for each in group if isinstance(each, str)]
            for name, group in groups.items()
            if _EXTRA.fullmatch(name)
        }
