"""Which tests of rules an older Spark isn't asked: the list names tests that there are, and has a reason for each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rules.unsupported_tests import UnsupportedTests, is_one_of, load_unsupported, unsupported_on

RULES = Path(__file__).parents[1] / "rules"
ENTRIES = load_unsupported()
SOME = [UnsupportedTests("<4.0", "why", ("test_a.py::test_one[[]x*]", "test_a.py::Test*::test_two"))]


@pytest.mark.parametrize("pattern", sorted({pattern for entry in ENTRIES for pattern in entry.tests}))
def test_a_pattern_names_a_test_that_there_is(pattern):
    file, *names = re.sub(r"\[.*", "", pattern).split("::")
    text = (RULES / file).read_text(encoding="utf-8")
    for name in filter(lambda name: name != "*", names):
        assert re.search(rf"(def|class) {name}\b", text), f"{file} has no {name}"


@pytest.mark.parametrize(
    ("test", "release", "unsupported"),
    [
        ("test_a.py::test_one[xy]", "3.5.9", True),
        ("test_a.py::TestSome::test_two", "3.5.0", True),
        ("test_a.py::test_one[yx]", "3.5.9", False),
        ("test_b.py::test_one[xy]", "3.5.9", False),
        ("test_a.py::test_one[xy]", "4.0.0", False),
    ],
)
def test_an_older_release_is_not_asked_what_a_later_one_does(test, release, unsupported):
    assert is_one_of(test, unsupported_on(release, SOME)) == unsupported


def test_the_newest_release_is_asked_everything():
    patterns = unsupported_on("4.3.0", ENTRIES)
    assert not any(is_one_of(pattern.replace("[[]", "["), patterns) for e in ENTRIES for pattern in e.tests)


def test_each_entry_says_why():
    assert all(entry.reason for entry in ENTRIES)
