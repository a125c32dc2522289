"""Campaigns to make pages of: a folder written as campaigns write theirs, and a finding whose every text is hostile."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from assay.ledger.blocks import write_blocks
from assay.ledger.folder import Folder
from oracles.answers.outcome import Rows
from oracles.checks.evidence import RuleCount
from oracles.failures.confirmation import Stock
from oracles.failures.failure import Failure, write_failure
from strategies.ir import STRING, Case, Column, Database, Scan, Table
from tests.unit.failure_samples import RULES, case_of, checked_of, failure
from tests.unit.ledger_samples import CODE, COMPOSITE, FOUND, GENERAL, SHAPE, round_of

HOSTILE = """</script></style><img src="x" onerror="document.title='hurt'">&amp;'{{ 7 * 7 }}"""
"""A text that a rule, a column or a value may have as its name."""

UNSEEN = "a\u202eb\0c"
"""Turned around from its second letter on, and cut off."""

PLANS = (
    "Filter (a#1 > 0)\n+- Join LeftOuter, (a#1 = b#2)\n   :- Relation [a#1] parquet\n   +- Relation [b#2] parquet\n",
    "Join LeftOuter, (a#1 = b#2)\n:- Filter (a#1 > 0)\n:  +- Relation [a#1] parquet\n+- Relation [b#2] parquet\n",
)

KILLS = (
    {"name": "CombineFiltersEither", "rule": "CombineFilters", "by": "shape", "killed": True, "examples": 3},
    {"name": "CombineFiltersLast", "rule": "CombineFilters", "by": "general", "killed": True, "examples": 4_000},
    {"name": "ColumnPruningAll", "rule": "ColumnPruning", "by": "shape", "killed": False, "examples": 300},
)
SUMMARY = {"format": 1, "seed": 1, "mutants": [{**each, "seconds": 1.5, "file": None} for each in KILLS]}

VERIFICATION = {
    "verdict": "verified",
    "pairs": 100,
    "comparisons": 30_250,
    "seconds": 41.5,
    "excused": {},
    "databases": "all databases of at most 2 rows a table",
    "briefly": "1+2, 2+0; rule's operators 2+1",
}
VERIFIED = {
    "format": 1,
    "rules": {
        "CombineFilters": VERIFICATION,
        "ColumnPruning": {**VERIFICATION, "verdict": "refuted", "pairs": 1},
        "CombineUnions": {**VERIFICATION, "verdict": "undecided", "excused": {"SPARK-1": 2}},
        "CombineFiltersEither": {**VERIFICATION, "verdict": "refuted", "mutant_of": "CombineFilters"},
    },
}

INVERSIONS = {
    "format": 1,
    "rules": {
        "CombineFilters": {"wrong rows": 12, "error": 30, "another plan": 4, "same plan": 20, "never run": 3},
        "ColumnPruning": {"wrong rows": 8, "error": 5, "invalid plan": 1, "another plan": 16, "never run": 7},
    },
}

EARLIER, LATER = "20300102T030405-abcdef", "20300103T000000-abcdef"
ROUNDS = (
    round_of(1, GENERAL, run=EARLIER),
    round_of(2, SHAPE, run=EARLIER, agree=80),
    round_of(
        3,
        COMPOSITE,
        run=EARLIER,
        rules={
            "CombineFilters": RuleCount(checked=1, fired=1, differed=1, changed=1),
            "Unswitchable": RuleCount(changed=1),
            HOSTILE: RuleCount(changed=1),
        },
    ),
    round_of(4, GENERAL, run=LATER, agree=17, pairs={("A", "B"): (1, 5), ("A", "ColumnPruning"): (20, 6)}),
)


def hostile() -> Failure:
    """A finding of a rule, a table and columns that are called like HTML, with values like it."""
    columns = (Column(HOSTILE, STRING), Column(UNSEEN, STRING))
    case = Case(Scan("t0", columns), Database((Table("t0", columns, ((HOSTILE, UNSEEN), (None, "NULL"))),)))
    row = (("string", HOSTILE), ("string", UNSEEN))
    legs = {"on": Rows(("string", "string"), (row, row)), "off": Rows(("string", "string"), (row,))}
    made = failure(checked_of(case, legs=legs), (HOSTILE,), confirmed=True)
    sql = {"spark": f"SELECT '{HOSTILE}'", "duckdb": f"SELECT '{UNSEEN}'"}
    return replace(
        made, sql=sql, plans={HOSTILE: (HOSTILE, f"{HOSTILE}\n{UNSEEN}")}, stock=Stock("impossible", HOSTILE)
    )


def found() -> tuple[Failure, ...]:
    """Three findings: one with all that there is to tell, one that is hostile, one that failed no more."""
    whole = replace(
        failure(confirmed=True), plans={RULES[0]: PLANS}, stock=Stock("confirmed", "its script ends with 1")
    )
    return whole, hostile(), failure(checked_of(case_of(rows=())), ("CombineFilters",))


def write_campaign(path: Path, failures: tuple[Failure, ...]) -> Path:
    """A campaign of two runs with these findings at ``path``, the first of them told of by its rounds."""
    folder = Folder(path)
    for one in ROUNDS:
        told = tuple({**FOUND, "fingerprint": each.fingerprint} for each in failures[:1])
        folder.write_round(replace(one, findings=told))
    known = {"shard": 1, "shards": 1, "budget": 60.0, "workers": 2}
    folder.write_run({"run": EARLIER, "started": "2030-01-02T03:04:00+00:00", "seed": 2**70, **known})
    ended = {"ended": "2030-01-03T01:02:03+00:00", "how": "budget", "exit": 1}
    folder.write_run({"run": LATER, "started": "2030-01-03T00:00:00+00:00", "seed": 7, **known, **ended})
    folder.write_release("4.3.0", {"CombineFilters": ("b", True, True), "Never": ("b", False, False)})
    write_blocks(folder.blocks, "4.3.0", [replace(CODE[0], name=HOSTILE), *CODE])
    for each in failures:
        write_failure(folder.findings, each, "print()" if each is failures[0] else None)
    path.joinpath("mutants.json").write_text(json.dumps(SUMMARY), encoding="utf-8")
    path.joinpath("verified.json").write_text(json.dumps(VERIFIED), encoding="utf-8")
    path.joinpath("inversions.json").write_text(json.dumps(INVERSIONS), encoding="utf-8")
    return path
