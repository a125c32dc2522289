"""Injection points: the enumeration has those that the jar has, on the newest release."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from oracles.rules.points import DEFAULT_POINT, Point

SOURCES = Path(__file__).resolve().parents[2] / "jars" / "src"


def points_of_the_jar() -> set[str]:
    """The names of the points in the jar's sources, those of later releases included."""
    texts = [path.read_text() for path in SOURCES.rglob("*.scala") if path.stem in ("Point", "LaterPoints")]
    return {name for text in texts for name in re.findall(r'Point\(\s*"([\w-]+)"', text)}


def test_the_jar_has_the_same_points() -> None:
    assert points_of_the_jar() == set(Point)


def test_only_a_check_changes_nothing() -> None:
    assert [point for point in Point if not point.tried] == [Point.CHECK]
    assert DEFAULT_POINT.tried


@pytest.mark.parametrize("point", list(Point))
def test_a_point_of_the_analyzer_is_none_of_adaptive_execution(point: Point) -> None:
    assert not (point.analysis and point.adaptive)
    assert Point(str(point)) is point
