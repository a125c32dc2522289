"""The settings of Hypothesis with which runs draw: so many examples, from the run's seed alone."""

from __future__ import annotations

from typing import Any

from hypothesis import Phase, settings


def generating(count: int, **more: Any) -> settings:
    """Settings that draw ``count`` examples, and nothing that an earlier run kept; ``more`` are Hypothesis's own."""
    given: dict[str, Any] = {"phases": (Phase.generate,), "database": None, "deadline": None, "derandomize": False}
    return settings(settings.get_profile("default"), max_examples=count, **{**given, **more})
