"""The probes count just the blocks that ran, in classes that the JVM still verifies, and say what can't have any."""

from __future__ import annotations

import base64
import json
import struct
from collections import Counter

import pytest

from tests.unit.planted_jvm import LISTED_ELSEWHERE, SOURCE, planted_jvm


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """A function that runs the planted program with the agent, or without it."""
    run = planted_jvm(tmp_path_factory.mktemp("planted"))
    return lambda *arguments, **how: run("planted.run.PlantedRun", *arguments, **how)


def counted(ended):
    """``(method, line)`` of each planted block, with how often it ran; a block has the first of its lines."""
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout.splitlines()[-1])
    assert told["problems"] == ""
    assert told["again"] == 0
    counts = dict(struct.iter_unpack("<ii", base64.b64decode(told["counts"])))
    blocks = {}
    for each in told["blocks"]:
        number = each["first"]
        for method in each["methods"]:
            for place, lines in enumerate(method["lines"]):
                if each["class"].startswith("planted."):
                    blocks[method["name"], place, line_text(lines)] = counts.get(number, 0)
                number += 1
    return blocks


def line_text(lines):
    return SOURCE.splitlines()[lines[0] - 1].strip()


def of(name, blocks):
    return Counter({text: count for (method, _, text), count in blocks.items() if method == name and count})


def test_one_branch_of_two_is_counted_and_the_other_is_not(planted):
    blocks = counted(planted("choose"))
    chosen = {text: count for (method, _, text), count in blocks.items() if method == "choose" and "1" in text}
    assert chosen == {"if (first) 1": 1}
    assert {key for key, count in blocks.items() if key[0] == "choose" and not count} == {("choose", 2, "else 2")}
    assert not any(count for (method, _, _), count in blocks.items() if method != "choose")


def test_nothing_is_counted_where_nothing_runs(planted):
    assert not any(counted(planted("nothing")).values())


def test_a_class_that_was_in_use_before_gets_probes_and_its_earlier_runs_do_not_count(planted):
    assert counted(planted("before")) == counted(planted("choose"))


@pytest.mark.one_in(2)  # each row is a JVM
@pytest.mark.parametrize("doing", ["pause", "resume"])
def test_between_a_pause_and_its_end_nothing_is_counted(planted, doing):
    """The planted program runs the other branch while the probes are out of its class."""
    assert counted(planted(doing)) == counted(planted("choose"))


def test_a_block_in_a_loop_counts_each_time(planted):
    blocks = counted(planted("loop"))
    assert of("loop", blocks) == {"var done = 0": 1, "while (done < times)": 4, "done += 1": 3, "done": 1}


def test_all_branches_run_and_what_is_left_can_not(planted):
    """A match that fails, a pair that is null, and a lazy value that another thread makes at the same time."""
    blocks = counted(planted("all"))
    left = {(method, text) for (method, _, text), count in blocks.items() if not count}
    assert left == {
        ("matched", "def matched(any: Any): String = any match {"),
        ("matched", "case Pair(left, _) => left.toString"),
        ("late$lzycompute", "lazy val late: Int ="),
        ("late$lzycompute", "if (loop(0) == 0) 3 else 4"),
    }


def test_methods_that_the_compiler_made_have_no_blocks(planted):
    written = {method for method, _, _ in counted(planted("nothing"))}
    assert written == {"choose", "loop", "made", "eachMade", "caught", "matched", "late$lzycompute"}


@pytest.mark.slow  # loads every class
def test_every_class_with_probes_is_verified(planted):
    """The JVM verifies a class as it initializes it, which a fault of the instrumentation would end in an error."""
    ended = planted("load", *LISTED_ELSEWHERE)
    assert ended.returncode == 0, ended.stderr
    told = json.loads(ended.stdout.splitlines()[-1])
    assert told["problems"] == ""
    classes = {each["class"] for each in told["blocks"]}
    assert {f"{name}$" for name in LISTED_ELSEWHERE} <= classes
    assert len(classes) > 300


def test_a_jvm_without_the_agent_says_so(planted):
    ended = planted("choose", agent=False)
    assert ended.returncode != 0
    assert "the JVM has no agent for probes" in ended.stderr
