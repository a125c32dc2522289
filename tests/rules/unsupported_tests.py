"""Tests of features that older Sparks do not support, and that are not run on those: unsupported.toml lists them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import tomllib

from oracles.rules.releases import is_among

UNSUPPORTED = Path(__file__).with_name("unsupported.toml")


@dataclass(frozen=True, slots=True)
class UnsupportedTests:
    """Tests, as patterns of their ids, and the releases ``before`` what they are about."""

    before: str
    reason: str
    tests: Sequence[str]


def load_unsupported(path: Path = UNSUPPORTED) -> list[UnsupportedTests]:
    """The entries of ``path``; TypeError where one lacks a part, or has another one."""
    return [UnsupportedTests(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["unsupported"]]


def unsupported_on(release: str, entries: Sequence[UnsupportedTests]) -> list[str]:
    """The patterns of the tests about what Spark ``release`` doesn't do yet."""
    return [pattern for entry in entries if is_among(release, entry.before) for pattern in entry.tests]


def is_one_of(test: str, patterns: Sequence[str]) -> bool:
    """Whether a pattern fits ``test``, an id below tests/rules."""
    return any(fnmatchcase(test, pattern) for pattern in patterns)
