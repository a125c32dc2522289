"""A plugin of pytest's: whoever judges a finding fails. To be loaded into a run with ``-p``."""

from __future__ import annotations

from typing import Any, NoReturn

import oracles.run.hunt


def failing(*_: Any, **__: Any) -> NoReturn:
    raise ValueError("planted: nobody can judge this")


oracles.run.hunt.judged = failing  # type: ignore[attr-defined]  # that is the fault
