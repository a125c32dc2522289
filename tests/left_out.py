"""Parameters of which ``tox run`` takes some: the others are marked as slow, and run in ``tox run -e left-out``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pytest


def one_in(step: int, named: Mapping[str, Any] | Collection[str]) -> list[Any]:
    """The values of ``named`` as parameters, with its keys as ids, or the names themselves if it has no values.

    The first one and each ``step``-th after it are for ``tox run``. A tuple is a parameter for each argument.
    """
    values = named if isinstance(named, Mapping) else {name: name for name in named}
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), id=name, marks=marks)
        for place, (name, value) in enumerate(values.items())
        for marks in (() if place % step == 0 else pytest.mark.slow,)
    ]
