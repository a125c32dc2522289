"""A hook of pytest for all tests: some rows are for ``tox run -e left-out``."""

from __future__ import annotations

import pytest

from tests.left_out import mark_left_out


@pytest.hookimpl(tryfirst=True)  # before -m is asked for the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    mark_left_out(items)
