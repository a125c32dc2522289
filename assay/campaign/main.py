"""``tox run -e nightly -- --budget 8h --out DIR``: check until the budget ends; with the same DIR go on."""

from __future__ import annotations

import secrets
import shutil
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timezone
from types import FrameType
from typing import Any

from rich.console import Console

from assay.campaign.campaign import Campaign, CampaignEnd, Plan
from assay.campaign.campaign_state import CampaignState
from assay.campaign.closing import closing_text, run_summary
from assay.campaign.display import Display
from assay.campaign.for_ci import add_campaign_summary, write_junit
from assay.campaign.options import CampaignRequest, patience
from assay.campaign.resume import unfinished
from assay.campaign.sources import all_work
from assay.campaign.witnesses import Witnesses, stale_message
from assay.campaign.worker import WorkerConfig
from assay.campaign.worker_pool import WorkerPool
from assay.ledger.distinct import Findings, findings_of, tidy
from assay.ledger.folder import Folder, FolderTaken
from assay.ledger.news import write_news
from assay.ledger.read import Ledger
from assay.ledger.rounds import UnreadableRound
from assay.session.ending import BadInput, Exit, ending
from assay.session.mutant_sources import UnknownMutant
from assay.session.mutant_sources import named as mutants_named
from assay.session.options import Options, options_to_plain
from assay.session.session import prepare, prepare_java, versions
from oracles.answers.atomic import write_json
from oracles.answers.plural import duration_text, number
from oracles.checks.conclusion import Conclusion, conclude
from oracles.failures.failure import Subject
from oracles.failures.incidents import FAULTS, faults_text
from strategies.shapes import load_shapes

_ONE_WISH_SECONDS = 1.0


def run(request: CampaignRequest) -> int:
    """Run the campaign in its folder; its exit code."""
    folder = _writable(Folder(request.out))
    try:
        with folder.taken():
            return _run(request, folder)
    except (FolderTaken, UnreadableRound) as problem:
        raise BadInput(str(problem)) from problem


def _writable(folder: Folder) -> Folder:
    try:
        folder.path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"--out {folder.path}: can't be made: {error.strerror}") from error
    return folder


def _run(request: CampaignRequest, folder: Folder) -> int:
    started = datetime.now(tz=timezone.utc)
    state, first = _so_far(request, folder)
    options = replace(request.options, seed=_seed(request, folder))
    prepare_java()
    subject = _prepared(request, options)
    record = _run_record(request, options, started)
    folder.pack()
    tidy(folder)
    before = findings_of([folder])
    folder.write_run(record)
    with Display(Console()) as display:
        display.line(_opening_line(request, options.seed, first))
        campaign = Campaign(
            pool=WorkerPool(folder, _worker_config(request, options, record["run"]), patience(request.limit)),
            plan=_plan(request, record["named"], first),
            subject=subject,
            state=state,
            display=display,
            unfinished=unfinished(folder.findings),
        )
        witnesses = Witnesses(logs=folder.logs, tell=display.line)
        campaign.beside = witnesses.look
        try:
            if request.witnesses:
                witnesses.start()
            ended = _attended(campaign)
        finally:
            witnesses.end()
    tidy(folder)
    state.fold(findings_of([folder]))
    seconds = (datetime.now(tz=timezone.utc) - started).total_seconds()
    shown = conclude(state.tally, state.evidence(record["named"]), len(state.findings))
    stale = [stale_message(each) for each in witnesses.stale]
    red = [*_cut_short(campaign, ended), *shown.red, *(f"red: {line}" for line in stale)]
    code = _code(campaign, ended, shown, stale)
    end = {"ended": datetime.now(tz=timezone.utc).isoformat(), "how": ended, "exit": int(code), "checks": state.checks}
    _close(folder, {**record, **end, "stale_divergences": witnesses.stale if witnesses.ended else None})
    if code == Exit.BAD_INPUT:
        raise BadInput(campaign.unusable or "--budget: over before the first check: Spark alone takes half a minute")
    _report(request, campaign, shown, red, seconds, before)
    return code


def _run_record(request: CampaignRequest, options: Options, started: datetime) -> dict[str, Any]:
    """The record of the run that begins, as the folder keeps it."""
    return {
        "run": f"{started:%Y%m%dT%H%M%S}-{secrets.token_hex(3)}",
        "started": started.isoformat(),
        "seed": options.seed,
        "shard": request.shard,
        "shards": request.shards,
        "budget": request.budget,
        "workers": request.workers,
        "rules": [rule.text for rule in options.rules],
        "mutants": list(request.mutants),
        "named": [rule.name for rule in options.rules],
        "versions": versions(),
    }


def _opening_line(request: CampaignRequest, seed: int, first: int) -> str:
    part = f", shard {request.shard} of {request.shards}" if request.shards > 1 else ""
    return (
        f"assay: {duration_text(request.budget)} in {request.out}{part}, {request.workers} workers, "
        f"--hypothesis-seed {seed}, from round {first}"
    )


def _worker_config(request: CampaignRequest, options: Options, run_name: str) -> WorkerConfig:
    return WorkerConfig(
        worker=0,
        run=run_name,
        out=str(request.out),
        options=options_to_plain(options),
        mutants=request.mutants,
        seed=options.seed,
        shard=request.shard,
        shards=request.shards,
        limit=request.limit,
        budget=request.budget,
        steered=request.steered,
    )


def _plan(request: CampaignRequest, named: Sequence[str], first: int) -> Plan:
    return Plan(
        choices=all_work(load_shapes(), named, steered=request.steered),
        size=request.size,
        budget=request.budget,
        workers=request.workers,
        first=first,
        max_rounds=request.max_rounds,
    )


def _close(folder: Folder, record: Mapping[str, Any]) -> None:
    """Write the record of the run that has ended, and remove the folder's temporary files."""
    with suppress(OSError):  # a full disk was reported before
        folder.write_run(record)
    shutil.rmtree(folder.temporary, ignore_errors=True)


def _report(
    request: CampaignRequest,
    campaign: Campaign,
    shown: Conclusion,
    red: Sequence[str],
    seconds: float,
    before: Findings,
) -> None:
    """Print the closing text, and write the texts of new issues and the reports for a CI system."""
    folder, state = campaign.folder, campaign.state
    with Ledger([request.out]) as ledger:
        print(closing_text(ledger, state, shown, seconds, red))
    for file in write_news(folder, before):
        print(f"new: {file}")
    add_campaign_summary(folder, state, shown, red, seconds)
    if request.junit is not None:
        write_junit(request.junit, list(state.findings.values()), shown, red, seconds)
    if request.options.summary_json is not None:
        seed = campaign.pool.config.seed
        write_json(request.options.summary_json, run_summary(state, campaign.versions, seed, seconds))


def _prepared(request: CampaignRequest, options: Options) -> Subject:
    try:
        mutants = mutants_named(request.mutants)
    except UnknownMutant as problem:
        raise BadInput(str(problem)) from problem
    subject = prepare(options, mutants).subject
    return replace(subject, mutant=",".join(mutant.name for mutant in mutants) or None)


def _so_far(request: CampaignRequest, folder: Folder) -> tuple[CampaignState, int]:
    """Read the state of the folder's campaign, and the number of this shard's next round."""
    state, number = CampaignState(), 1
    for one in folder.read_rounds():
        state.remember(one)
        if (one.id.shard, one.id.shards) == (request.shard, request.shards):
            number = max(number, one.id.number + 1)
    return state, number


def _seed(request: CampaignRequest, folder: Folder) -> int:
    """The seed that was given, or else that of the folder's last run, or else any."""
    if request.seed is not None:
        return request.seed
    seeds = [int(run["seed"]) for run in folder.read_runs()]
    return seeds[-1] if seeds else secrets.randbits(32)


def _attended(campaign: Campaign) -> CampaignEnd:
    """Run the campaign with signal handlers: the first signal asks it to end, a second one ends it at once."""
    last = 0.0

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal last
        # One key reaches a process twice, from the terminal and from whoever started it.
        if time.monotonic() - last > _ONE_WISH_SECONDS:
            campaign.asks += 1
        last = time.monotonic()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        return campaign.run()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _cut_short(campaign: Campaign, ended: CampaignEnd) -> list[str]:
    """The reasons why the run is incomplete or not reliable, a line for each."""
    state = campaign.state
    lines = [f"red: {line}" for line in faults_text(state.incidents, campaign.folder.incidents)]
    if state.lost_rounds:
        lost = f"{number(state.lost_rounds, 'round')} with {number(state.lost_checks, 'check')}"
        lines.append(f"red: lost with their workers: {lost}")
    if ended == "stopped":
        lines.append("stopped before its time: the same command goes on")
    if ended == "gave up":
        lines.append("red: workers died again and again: see logs")
    return lines


def _code(campaign: Campaign, ended: CampaignEnd, shown: Conclusion, stale: Sequence[str]) -> Exit:
    state = campaign.state
    if campaign.unusable or (ended == "budget" and not (state.queries or state.findings)):
        return Exit.BAD_INPUT
    return ending(
        suite_failed=ended != "budget" or any(state.incidents[kind] for kind in FAULTS),
        findings=len(state.findings),
        thin=shown.thin,
        broken=[*shown.broken, *stale],
    )
