"""``tox run -e rediscover``: the witness of each known bug as a case, or the known bugs that campaigns met."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from assay.fuzz.incident_log import IncidentLog, printed_on
from assay.fuzz.supervision import Guard
from assay.fuzz.supervisor import current_case, supervisor_of
from assay.ledger.folder import Folder
from assay.ledger.read import Ledger
from assay.releases.rediscover.met import met_in
from assay.releases.rediscover.standing import Standing, is_asked, result_text, standing
from assay.releases.rediscover.tickets import TICKETS, Benchmark, Ticket, load
from assay.session.console import console as console_of
from assay.session.console import table
from assay.session.ending import BadInput, Exit
from assay.session.options import Options
from assay.session.session import prepare, prepare_java
from oracles.answers.atomic import write_json
from oracles.checks.check import Harness
from oracles.checks.choices import all_that_changed
from oracles.checks.result import NO_SETTINGS, CheckResult
from oracles.failures.loss import is_loss
from oracles.triage.attribution import judged
from oracles.triage.divergences import Divergence
from oracles.triage.divergences import load as load_divergences
from strategies.ir import Case


@dataclass(frozen=True, slots=True)
class CheckedTicket:
    """A ticket whose witness was checked: its standing, the result in a few words, and the verdict's reason."""

    ticket: Ticket
    standing: Standing
    result: str
    reason: str


def run(options: Options, *, tickets: Path = TICKETS) -> int:
    """Check the witness of each ticket on the running release: FOUND if any standing is wrong."""
    prepare_java()
    benchmark, console = load(tickets), console_of()
    log = IncidentLog(options.failures, printed_on(console))
    with TemporaryDirectory(prefix="assay-rediscover-") as folder, prepare(options).supervised() as harness:
        guard = supervisor_of(harness, [], NO_SETTINGS, case_file=current_case(Path(folder), "main"), tell=log.tell)
        spark = harness.spark.version
        every = list(ask(harness, benchmark, load_divergences(), guard))
    rows = [(each.ticket.id, each.ticket.title, each.result, each.standing.value) for each in every]
    console.print(table(f"known bugs on Spark {spark}", ("ticket", "bug", "result", "standing"), rows, left=range(4)))
    counts = Counter(each.standing for each in every)
    console.print(", ".join(f"{each.value}: {counts[each]}" for each in Standing if counts[each]), soft_wrap=True)
    code = Exit.SUITE_FAILED if log.red else ended(every)
    for line in log.red:
        console.print(line, soft_wrap=True)
    if options.summary_json is not None:
        told = {
            each.ticket.id: {"standing": each.standing.value, "result": each.result, "reason": each.reason}
            for each in every
        }
        head = {"format": 1, "spark": spark, "exit": int(code)}
        write_json(options.summary_json, {**head, "tickets": told, "incidents": log.incidents})
    return code


def ended(every: Iterable[CheckedTicket]) -> Exit:
    """The exit code for these standings: FOUND if any is wrong."""
    return Exit.FOUND if any(each.standing.is_wrong for each in every) else Exit.GREEN


def ask(harness: Harness, benchmark: Benchmark, entries: Sequence[Divergence], guard: Guard) -> Iterator[CheckedTicket]:
    """Check the witness of each ticket, and attribute what it finds.

    A finding that a known divergence excuses is found, too.
    """
    spark = harness.spark.version
    for ticket in benchmark.tickets:
        checked: CheckResult | None = None
        rules: tuple[str, ...] = ()
        if ticket.witness is not None and is_asked(ticket, spark):
            checked = guard.check(ticket.witness, partial(harness.check, ticket.witness, all_that_changed))
            if checked is not None:
                checked, rules = _attributed(harness, ticket.witness, checked, entries, guard)
        ended = standing(benchmark, ticket, spark, checked)
        result = "" if checked is None else result_text(checked, rules)
        yield CheckedTicket(ticket, ended, result, ticket.why_not if checked is None else checked.verdict.reason)


def _attributed(
    harness: Harness, case: Case, checked: CheckResult, entries: Sequence[Divergence], guard: Guard
) -> tuple[CheckResult, tuple[str, ...]]:
    if is_loss(checked):  # it costs an engine each time
        return checked, ()
    nobody: tuple[str, ...] = ()
    return guard.attempt(case, lambda: judged(harness, checked, entries), (checked, nobody))


def run_met(folders: Sequence[Path], summary_json: Path | None) -> int:
    """Print the tickets that the campaigns in ``folders`` met, in how many checks, and with which rules named.

    BadInput for a folder that is no campaign's.
    """
    for folder in folders:
        if not Folder(folder).round_files():
            raise BadInput(f"{folder}: no campaign's folder: it has no ledger")
    benchmark, console = load(), console_of()
    with Ledger(folders) as ledger:
        checks, releases = ledger.totals()["checks"], sorted({row["spark"] for row in ledger.versions()})
        every = met_in(ledger, benchmark.tickets, load_divergences())
    there = [each for each in benchmark.tickets if not set(each.releases).isdisjoint(releases)]
    titles = {each.id: each.title for each in there}
    rows = [
        (each.ticket, titles[each.ticket], f"{each.checks:,}", ", ".join(each.rules) or "no rule") for each in every
    ]
    head = ("ticket", "bug", "checks", "rules named")
    console.print(table(f"known bugs that campaigns met on Spark {', '.join(releases)}", head, rows, left=(0, 1, 3)))
    console.print(f"{len(every)} of {len(there)} met in {checks:,} checks", soft_wrap=True)
    if summary_json is not None:
        told = {
            each.ticket: {"checks": each.checks, "rules": list(each.rules), "files": list(map(str, each.files))}
            for each in every
        }
        write_json(summary_json, {"format": 1, "spark": releases, "checks": checks, "tickets": told})
    return Exit.GREEN
