"""Kinds of findings: a kind's traits are texts, and a misspelt one is refused."""

from __future__ import annotations

import pytest

from oracles.checks.finding_kind import FindingKind


def test_a_misspelt_trait_is_refused() -> None:
    """It would be false in silence."""
    new = vars(FindingKind)["__new_member__"]
    with pytest.raises(ValueError, match=r"^rows with unknown traits: fail, of row$"):
        new(FindingKind, "rows", "another answer", "of row", "misbehaviour", "fail")


def test_a_kind_convicts_unless_it_is_about_engines() -> None:
    assert [kind for kind in FindingKind if not kind.convicts] == [FindingKind.ENGINE]
