"""Match Spark releases with version specifiers."""

from __future__ import annotations

import re
from functools import cache

from packaging.specifiers import SpecifierSet


@cache
def is_among(release: str, releases: str) -> bool:
    """Whether Spark ``release`` matches ``releases``, a version specifier; '' matches no release.

    A build such as 4.4.0-SNAPSHOT or 4.4.0.dev1 counts as the release that it becomes.
    """
    number = re.match(r"[0-9]+(\.[0-9]+)*", release)
    return number is not None and releases != "" and number[0] in SpecifierSet(releases)
