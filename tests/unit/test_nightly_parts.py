"""The campaign's parts that need no engine: budgets, shards, what comes next, messages, a full disk, the watchdog."""

from __future__ import annotations

import errno
import os
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.campaign.campaign_state import CampaignState
from assay.campaign.channel import Receiver, Sender
from assay.campaign.closing import closing_text, run_summary
from assay.campaign.loss import loss_of_worker
from assay.campaign.sources import STEERED
from assay.campaign.worker_pool import delay
from assay.commands import nightly
from assay.fuzz.fuzzer import shard_seed
from assay.fuzz.isolated_rerun import judge_alone, lost
from assay.ledger.blocks import write_blocks
from assay.ledger.folder import Folder
from assay.ledger.read import Ledger
from assay.options.types import duration, shard
from assay.session.ending import BadInput
from assay.session.full_disk import StillNoRoom, is_full, met_full_disk, patiently
from oracles.answers.outcome import Raised
from oracles.checks.conclusion import Conclusion
from oracles.checks.evidence import RuleCount
from oracles.engines.spark.watchdog import Watchdog
from oracles.failures.failure import read_failure, write_failure
from oracles.failures.loss import is_loss
from strategies.ir import to_plain
from tests.unit.command_lines import parsed
from tests.unit.failure_samples import SUBJECT, VERSIONS, answer, case_of, checked_of
from tests.unit.ledger_samples import CODE, FOUND, round_of

TIMES = {"90s": 90, "10m": 600, "8h": 28_800, "1h30m": 5_400, "2d": 172_800, "1m1s": 61, "1.5h": 5_400}


@pytest.mark.parametrize(("text", "seconds"), TIMES.items(), ids=TIMES)
def test_a_budget_is_a_time(text: str, seconds: int) -> None:
    assert duration("--budget", text) == seconds


@pytest.mark.parametrize("text", ["", "0s", "8", "h", "-1h", "8 h", "1s1h", "1..5h", "8hours"])
def test_another_text_is_no_budget(text: str) -> None:
    with pytest.raises(BadInput, match="needs a time"):
        duration("--budget", text)


@pytest.mark.parametrize(("text", "part"), [("1/1", (1, 1)), ("4/4", (4, 4)), ("2/10", (2, 10))], ids=str)
def test_a_shard_is_one_of_many(text: str, part: tuple[int, int]) -> None:
    assert shard("--shard", text) == part


@pytest.mark.parametrize("text", ["", "1", "0/2", "3/2", "1/0", "a/b", "-1/2", "1/2/3"])
def test_another_text_is_no_shard(text: str) -> None:
    with pytest.raises(BadInput, match="needs I/N"):
        shard("--shard", text)


WRONG = {
    "a budget": ("--budget", "soon"),
    "a shard": ("--shard", "5/4"),
    "workers": ("--workers", "0"),
    "a round": ("--round", "few"),
    "rounds": ("--max-rounds", "0"),
    "a limit": ("--time-limit", "nan"),
    "a seed": ("--hypothesis-seed", "x"),
}


@pytest.mark.parametrize("option", WRONG.values(), ids=WRONG)
def test_wrong_options_are_bad_input(tmp_path: Path, option: tuple[str, str]) -> None:
    with pytest.raises(BadInput, match=option[0]):
        parsed(nightly.command, "--budget", "1h", "--out", "campaign", *option, here=tmp_path)


def test_options_of_all_environments_reach_the_campaign(tmp_path: Path) -> None:
    given_ = ["--budget", "1h", "--out", "campaign", "--off", "all", "--spark-conf", "a=b", "--summary-json", "s.json"]
    asked = nightly.request_of(**parsed(nightly.command, *given_, "--hypothesis-seed", "7", here=tmp_path))
    options = asked.options
    assert (asked.out, options.failures) == (tmp_path / "campaign", tmp_path / "campaign" / "findings")
    assert (options.seed, options.off, options.spark_conf, options.summary_json) == (
        7,
        "all",
        {"a": "b"},
        tmp_path / "s.json",
    )


PARTS = [(seed, shard, shards, number) for seed in (1, 2) for shards in (1, 2, 12) for shard in range(1, shards + 1)
         for number in range(1, 40)]  # fmt: skip


def test_rounds_of_all_shards_draw_by_seeds_of_their_own() -> None:
    seeds = {shard_seed(seed, f"nightly/{shard}of{shards}/{number}", 0) for seed, shard, shards, number in PARTS}
    assert len(seeds) == len(PARTS)


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=70_000), max_size=3), max_size=4))
def test_messages_arrive_as_they_were_sent(messages: list[dict[str, str]]) -> None:
    reading, writing = os.pipe()
    receiver, sender = Receiver(reading), Sender(writing)
    sending = threading.Thread(target=lambda: [sender.send("x", facts=facts) for facts in messages])
    sending.start()
    arrived: list[object] = []
    while sending.is_alive() or len(arrived) < len(messages):
        arrived += [message["facts"] for message in receiver.messages()]
    os.close(writing)
    assert (arrived, receiver.messages(), receiver.ended) == (messages, [], True)
    receiver.close()


def test_half_a_message_of_a_dead_sender_is_dropped() -> None:
    reading, writing = os.pipe()
    os.write(writing, b'{"type": "whole"}\n{"type": "ha')
    os.close(writing)
    receiver = Receiver(reading)
    assert ([message["type"] for message in receiver.messages()], receiver.messages()) == (["whole"], [])
    receiver.close()


def failing(times: int, number: int):
    """Raises the error of this ``number`` so many times, then returns how often it was called."""
    calls = []

    def write() -> int:
        calls.append(1)
        if len(calls) <= times:
            raise OSError(number, os.strerror(number))
        return len(calls)

    return write


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EFBIG], ids=errno.errorcode.get)
def test_a_full_disk_is_waited_out(number: int) -> None:
    waited: list[float] = []
    told: list[str] = []
    pauses = patiently(failing(9, number), waiting=told.append, given_up=lambda: False, pause=waited.append)
    assert (pauses, len(told), waited[:3], max(waited)) == (10, 9, [0.5, 1.0, 2.0], 15.0)


def test_other_errors_pass() -> None:
    with pytest.raises(PermissionError):
        patiently(failing(1, errno.EACCES), waiting=print, given_up=lambda: False, pause=time.sleep)
    assert not is_full(OSError(errno.EACCES, ""))


def test_a_full_disk_is_not_waited_out_for_ever() -> None:
    with pytest.raises(StillNoRoom):
        patiently(failing(1, errno.ENOSPC), waiting=print, given_up=lambda: True, pause=time.sleep)


def test_a_really_full_device_is_told_apart() -> None:
    with pytest.raises(OSError, match="space") as caught, Path("/dev/full").open("wb", buffering=0) as full:
        full.write(b"x")
    assert is_full(caught.value)


@pytest.mark.parametrize(
    ("message", "full"), [("IOException: No space left on device", True), ("no such column", False)]
)
def test_what_spark_says_of_a_full_disk_is_no_finding(message: str, full: bool) -> None:
    checked = checked_of(legs={"on": Raised("X", None, message, "internal"), "off": answer()})
    assert met_full_disk(checked) == full


LATE = Raised("CANCELLED", None, "late", "timeout")
HUNG, MEMORY = lost("hung"), lost("out of memory")
FINE = answer(1)
ALONE = {
    "nothing": (FINE, FINE, FINE, ("inconclusive", None, None)),
    "an ordinary error": (Raised("X", None, "", "user"), FINE, FINE, ("inconclusive", None, None)),
    "on is late": (LATE, FINE, FINE, ("finding", "timeout", "on")),
    "on hangs": (HUNG, FINE, FINE, ("finding", "timeout", "on")),
    "off hangs": (FINE, HUNG, FINE, ("finding", "timeout", "off")),
    "both are late": (LATE, HUNG, FINE, ("finding", "timeout", "unknown")),
    "DuckDB is late": (FINE, FINE, LATE, ("finding", "timeout", "duckdb")),
    "all are late": (LATE, LATE, LATE, ("finding", "timeout", "unknown")),
    "memory": (MEMORY, FINE, FINE, ("finding", "internal", "on")),
    "death before delay": (LATE, lost("died"), FINE, ("finding", "internal", "off")),
}


@pytest.mark.parametrize(("on", "off", "duckdb", "verdict"), ALONE.values(), ids=ALONE)
def test_what_repeats_alone_is_a_finding(on, off, duckdb, verdict) -> None:
    judged = judge_alone({"on": on, "off": off, "duckdb": duckdb}, "the JVM died")
    assert (judged.name, judged.kind, judged.blame) == verdict
    assert is_loss(checked_of(verdict=judged, legs={"on": on, "off": off, "duckdb": duckdb})) == (
        verdict[0] == "finding"
    )


def test_the_reason_of_an_isolated_rerun_has_the_answer_of_each_leg() -> None:
    judged = judge_alone({"on": HUNG, "off": FINE, "duckdb": answer(1, 2)}, "the JVM hung")
    assert judged.reason == "alone on a fresh session: on: JVM_HUNG; off: 1 row; duckdb: 2 rows"


def test_the_query_that_killed_two_workers_is_a_failure_that_can_be_read(tmp_path: Path) -> None:
    current_case = {"case": to_plain(case_of()), "doing": "alone: duckdb", "seed": 3}
    failure = loss_of_worker(current_case, SUBJECT, VERSIONS)
    assert read_failure(write_failure(tmp_path, failure)) == failure
    assert (failure.verdict.kind, failure.verdict.blame, failure.confirmed) == ("internal", "duckdb", True)


def test_the_watchdog_bites_what_lasts_too_long_and_nothing_else() -> None:
    watchdog, bitten = Watchdog(), threading.Event()
    with watchdog.step(60.0, bitten.set):
        pass
    assert (watchdog.rang, bitten.is_set()) == (False, False)
    with watchdog.step(0.01, bitten.set):
        assert bitten.wait(30)
    assert (watchdog.rang, watchdog.steps) == (True, 2)


def test_a_worker_that_dies_again_and_again_waits_longer_and_longer() -> None:
    delays = [delay(deaths) for deaths in range(1, 9)]
    assert (delays[0], delays == sorted(delays), delays[-1]) == (0.0, True, 60.0)


def test_a_standing_tells_this_run_from_earlier_ones() -> None:
    state = CampaignState()
    state.remember(round_of(1))
    state.finished(round_of(2))
    state.found(FOUND, None)
    state.found({**FOUND, "fingerprint": "small", "operators": 1}, FOUND["fingerprint"])
    assert (state.rounds, state.checks, len(state.plans), len(state.reached)) == (1, 5, 3, 2)
    assert list(state.findings) == ["small"]
    assert state.tally.checks == 5
    assert (state.fits, state.fitting) == ({"SPARK-1": 2, "SPARK-2": 1}, 2)


def test_a_standing_keeps_what_its_rounds_have_to_show() -> None:
    state = CampaignState()
    state.remember(round_of(1))
    state.finished(round_of(2, unfired=647))
    state.finished(round_of(3))
    shown = state.evidence(["CombineFilters"])
    assert (shown.queries, shown.asked, shown.named) == (657, None, ["CombineFilters"])
    assert (shown.legs, shown.count("CombineFilters").fired) == ({"duckdb": 6, "off": 6, "on": 8}, 4)


def test_the_closing_text_begins_with_what_was_proven(tmp_path: Path) -> None:
    with Ledger([tmp_path]) as ledger:
        text = closing_text(ledger, CampaignState(), Conclusion("nothing is known", False), 1.0, ["red: why"])
    assert (text.splitlines()[0], text.splitlines()[-1]) == ("nothing is known", "red: why")


def test_the_closing_text_tells_how_much_of_the_optimizer_ran(tmp_path: Path) -> None:
    write_blocks(Folder(tmp_path).blocks, "4.3.0", CODE)
    Folder(tmp_path).write_round(round_of())
    with Ledger([tmp_path]) as ledger:
        text = closing_text(ledger, CampaignState(), Conclusion("nothing is known", False), 1.0, ())
    line = "optimizer of 4.3.0: 1 of 4 blocks, 25.0 %; 33.3 % without the 1 that no query of Assay's can run"
    assert any(each.startswith(line) for each in text.splitlines()), text


def test_the_closing_text_and_the_summary_tell_how_many_checks_silent_entries_fit(tmp_path: Path) -> None:
    state = CampaignState()
    state.finished(round_of())
    with Ledger([tmp_path]) as ledger:
        lines = closing_text(ledger, state, Conclusion("4 agreements", True), 1.0, ()).splitlines()
    rows = [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]
    assert ["SPARK-1", "2", "40.00", "1"] in rows
    assert ["all together", "2", "40.00", "1"] in rows
    told = run_summary(state, {}, 1, 1.0)["silent_entries"]
    assert told == {"checks": 2, "fits": {"SPARK-1": 2, "SPARK-2": 1}}


def test_the_closing_text_and_the_summary_tell_where_duckdb_alone_judged(tmp_path: Path) -> None:
    state, plain = CampaignState(), CampaignState()
    plain.finished(round_of())
    state.finished(
        round_of(
            legs={"on": 5, "two legs": 3},
            rules={"A": RuleCount(checked=5, fired=4, differed=1, two_legs=3, agreed=2, changed=5)},
        )
    )
    with Ledger([tmp_path]) as ledger:
        texts = [closing_text(ledger, each, Conclusion("some", True), 1.0, ()) for each in (state, plain)]
    assert ["two legs in 3 checks, which DuckDB alone judged" in text for text in texts] == [True, False]
    counts = {"checked": 5, "fired": 4, "differed": 1, "two_legs": 3, "agreed": 2}
    assert run_summary(state, {}, 1, 1.0)["rules"] == {"A": counts}


def test_the_closing_text_and_the_summary_tell_what_was_steered(tmp_path: Path) -> None:
    state, plain = CampaignState(members=2, blocks=700), CampaignState()
    for one in (round_of(1, STEERED), round_of(2)):
        state.finished(one)
    with Ledger([tmp_path]) as ledger:
        texts = [closing_text(ledger, each, Conclusion("some", True), 1.0, ()) for each in (state, plain)]
    assert "steering: 5 checks of edited cases; the corpus has 2 cases, and 700 blocks" in texts[0]
    assert "steering" not in texts[1]
    assert run_summary(state, {}, 1, 1.0)["steering"] == {"checks": 5, "members": 2, "blocks": 700}


def test_where_no_silent_entry_fits_the_closing_text_has_no_table_of_them(tmp_path: Path) -> None:
    with Ledger([tmp_path]) as ledger:
        assert "silent" not in closing_text(ledger, CampaignState(), Conclusion("nothing", False), 1.0, ())
