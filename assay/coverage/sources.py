"""The sources of the cases of a coverage run."""

from __future__ import annotations

from typing import Literal

Source = Literal["general", "shapes", "corpus"]
SOURCES: tuple[Source, ...] = ("general", "shapes", "corpus")
"""General queries, those of the rules' own shapes and of the composites, and the regression corpus."""
