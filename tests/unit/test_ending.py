"""Exit codes: all of them, for everything that a run can end in."""

from __future__ import annotations

import pytest

from assay.session.ending import Exit, ending, of_pytest

GREEN, FOUND, UNDECIDED, SUITE = Exit.GREEN, Exit.FOUND, Exit.UNDECIDED, Exit.SUITE_FAILED

# Letters: Suite failed, Findings, surviving Mutants, Rules that never fired, Ceilings broken.
ENDS = {
    "-----": GREEN,
    "----C": FOUND,
    "---R-": UNDECIDED,
    "---RC": UNDECIDED,
    "--M--": FOUND,
    "--M-C": FOUND,
    "--MR-": FOUND,
    "--MRC": FOUND,
    "-F---": FOUND,
    "-F--C": FOUND,
    "-F-R-": FOUND,
    "-F-RC": FOUND,
    "-FM--": FOUND,
    "-FM-C": FOUND,
    "-FMR-": FOUND,
    "-FMRC": FOUND,
    "S----": SUITE,
    "S---C": SUITE,
    "S--R-": SUITE,
    "S--RC": SUITE,
    "S-M--": SUITE,
    "S-M-C": SUITE,
    "S-MR-": SUITE,
    "S-MRC": SUITE,
    "SF---": SUITE,
    "SF--C": SUITE,
    "SF-R-": SUITE,
    "SF-RC": SUITE,
    "SFM--": SUITE,
    "SFM-C": SUITE,
    "SFMR-": SUITE,
    "SFMRC": SUITE,
}


@pytest.mark.parametrize(("what", "code"), ENDS.items(), ids=ENDS)
def test_every_combination_has_its_code(what: str, code: Exit) -> None:
    ended = ending(
        suite_failed="S" in what,
        findings=what.count("F"),
        survivors=what.count("M"),
        thin=["EliminateOuterJoin"] * what.count("R"),
        broken=["raised: 6 of 100 checks, more than 5 %"] * what.count("C"),
    )
    assert ended is code


def test_a_run_of_which_nothing_else_is_known_is_green() -> None:
    assert ending(suite_failed=False) is Exit.GREEN


def test_many_of_a_kind_are_as_bad_as_one() -> None:
    assert ending(suite_failed=False, findings=256, survivors=256) is Exit.FOUND


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (pytest.ExitCode.OK, Exit.GREEN),
        (pytest.ExitCode.TESTS_FAILED, Exit.FOUND),
        (pytest.ExitCode.INTERRUPTED, Exit.SUITE_FAILED),
        (pytest.ExitCode.INTERNAL_ERROR, Exit.SUITE_FAILED),
        (pytest.ExitCode.USAGE_ERROR, Exit.SUITE_FAILED),
        (pytest.ExitCode.NO_TESTS_COLLECTED, Exit.BAD_INPUT),
        (99, Exit.SUITE_FAILED),
        (-1, Exit.SUITE_FAILED),
    ],
    ids=repr,
)
def test_pytests_own_codes_are_told_in_ours(code: int, expected: Exit) -> None:
    assert of_pytest(code) is expected


@pytest.mark.parametrize(
    ("code", "number"),
    [(GREEN, 0), (FOUND, 1), (Exit.BAD_INPUT, 2), (UNDECIDED, 3), (SUITE, 4)],
    ids=repr,
)
def test_the_numbers_are_fixed_for_scripts(code: Exit, number: int) -> None:
    assert code == number
