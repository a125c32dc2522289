"""The extension points of the loaded rules: an extension may inject one class at several."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from oracles.engines.spark.frames import SparkFrames
from oracles.engines.spark.start import SparkOptions


@pytest.mark.parametrize(
    ("lines", "first", "analyzing"),
    [
        (["R=E@optimizer"], "optimizer", set()),
        (["R=E@resolution"], "resolution", {"R"}),
        (["R=E@optimizer", "R=E@resolution"], "optimizer", {"R"}),
    ],
    ids=["optimizer", "analysis", "both"],
)
def test_a_rule_of_the_analysis_is_one_whatever_other_points_it_has(
    lines: list[str], first: str, analyzing: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else both legs would share the plan that it changed."""
    extensions = SimpleNamespace(loaded=lambda: lines)
    session = SimpleNamespace(_jvm=SimpleNamespace(assay=SimpleNamespace(SwitchExtensions=extensions)))
    monkeypatch.setattr(SparkFrames, "session", session)
    frames = SparkFrames(SparkOptions(jars=(), extensions=("com.acme.E",)))
    assert (frames.points, frames.analyzing, frames.brought) == ({"R": first}, analyzing, ["R"])
