"""The settings of Hypothesis with which a run draws its examples, from the run's seed alone."""

from __future__ import annotations

from typing import Any

from hypothesis import Phase, settings


def generating(count: int, **more: Any) -> settings:
    """Settings that draw ``count`` examples and reuse none of an earlier run; ``more`` are settings of Hypothesis."""
    given: dict[str, Any] = {"phases": (Phase.generate,), "database": None, "deadline": None, "derandomize": False}
    return settings(settings.get_profile("default"), max_examples=count, **{**given, **more})
