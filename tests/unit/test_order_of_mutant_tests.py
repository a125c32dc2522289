"""The streams of general queries come at equal distances, so that each worker begins with one."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.mutants.conftest import pytest_collection_modifyitems


def mutant_test(by: str, number: int) -> SimpleNamespace:
    mark = pytest.mark.by(by).mark if by else None
    return SimpleNamespace(name=f"{by}{number}", get_closest_marker=lambda name: mark)


def order(*items: SimpleNamespace) -> list[str]:
    listed = list(items)
    pytest_collection_modifyitems(listed)
    return [item.name for item in listed]


SHAPES = [mutant_test("shape", number) for number in range(5)]


def test_each_half_begins_with_a_stream():
    assert order(*SHAPES, mutant_test("general", 0), mutant_test("general", 1)) == [
        "general0",
        "shape0",
        "shape1",
        "general1",
        "shape2",
        "shape3",
        "shape4",
    ]


@pytest.mark.parametrize("count", [0, 1, 5])
def test_mutant_tests_by_shape_alone_stay_in_their_order(count):
    assert order(*SHAPES[:count]) == [f"shape{number}" for number in range(count)]


def test_streams_alone_stay_in_their_order():
    assert order(*[mutant_test("general", number) for number in range(3)]) == ["general0", "general1", "general2"]


def test_other_tests_are_shapes_neighbours():
    assert order(mutant_test("", 0), *SHAPES[:1], mutant_test("general", 0)) == ["general0", "0", "shape0"]
