"""The ledger as SQL: DuckDB views over the files of one or more campaign folders, and the queries of the report page.

========== ==================================================================================================
view       a row is
========== ==================================================================================================
rounds     a round: id, run, shard, shards, number, run_seed, worker, kind and name of its work, started, seconds,
           ended, spark, duckdb, checks, cases, nonempty, stumbles, fitting (checks that at least one silent entry
           fits; NULL: not counted), queries; and ``before``, the checks of all earlier ones
verdicts   a verdict in a round: id, verdict, checks
excused    a known divergence in a round: id, divergence, checks
fits       a silent entry that fits checks of a round: id, divergence, checks
legs       a leg that gave evidence in a round: id, leg, checks
rules      a rule in a round: id, rule, changed, checked, fired, differed
two_legs   a rule that fired in checks with two legs of a round: id, rule, checks
agreed     a rule that fired in checks of a round in which other plans, or two legs, had the same rows, and at least
           one: id, rule, checks
pairs      two rules that changed one plan in a round: id, one, other, checks, first
blocks     a block of the optimizer that a round ran first, as far as its worker knew: id, block, first
plans      a plan in a round: id, plan, checks, first (the check of the round that showed it first, from 1)
seen       a finding in a round, as it was recorded then: id, fingerprint, kind, blame, rules, operators, rows, count
findings   a bug, by its failure file: fingerprint, kind, blame, rules, operators, rows, confirmed (it failed again),
           stock (what its script shows on a Spark without Assay: confirmed, assay-only, impossible; NULL: not run),
           file, script (NULL: it has none)
standing   a fingerprint, and the fingerprint of the finding of its bug: fingerprint, stands
incidents  an incident: id, when, kind, told
runs       a run of the campaign: run, started, ended, seed, shard, shards, budget, workers, how and exit (of one
           that has ended: 'budget', 'stopped' or 'gave up', and its exit code), mutants (planted), stale_divergences
           (whose witness didn't fail any more; NULL: not all were run), named (the rules that it was about; NULL: of
           an earlier Assay)
releases   a rule of a Spark that ran: spark, rule, batch, switchable, known
code       a block of the optimizer of a Spark that ran with probes: see :data:`assay.ledger.blocks.SCHEMA`
========== ==================================================================================================

Each method is one query, and its docstring names the columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as parquet

from assay.ledger.blocks import SCHEMA as BLOCKS
from assay.ledger.distinct import findings_of
from assay.ledger.folder import Folder
from assay.ledger.rounds import SCHEMA
from oracles.checks.evidence import LEGS
from oracles.failures.failure import script_path

_NESTED = ("verdicts", "excused", "rules", "pairs", "plans", "fits", "legs", "two_legs", "agreed", "blocks")
_TEXT, _COUNT = pa.string(), pa.int64()
_FINDINGS = pa.schema(
    {
        "fingerprint": _TEXT,
        "kind": _TEXT,
        "blame": _TEXT,
        "rules": pa.list_(_TEXT),
        "operators": _COUNT,
        "rows": _COUNT,
        "confirmed": pa.bool_(),
        "stock": _TEXT,
        "file": _TEXT,
        "script": _TEXT,
    }
)
_STANDING = pa.schema({"fingerprint": _TEXT, "stands": _TEXT})
_INCIDENTS = pa.schema({"id": _TEXT, "when": _TEXT, "kind": _TEXT, "told": _TEXT})
_RUNS = pa.schema(
    {
        "run": _TEXT,
        "started": _TEXT,
        "ended": _TEXT,
        "seed": _TEXT,
        "shard": _COUNT,
        "shards": _COUNT,
        "budget": pa.float64(),
        "workers": _COUNT,
        "how": _TEXT,
        "exit": _COUNT,
        "mutants": pa.list_(_TEXT),
        "stale_divergences": pa.list_(_TEXT),
        "named": pa.list_(_TEXT),
    }
)
_RELEASES = pa.schema({"spark": _TEXT, "rule": _TEXT, "batch": _TEXT, "switchable": pa.bool_(), "known": pa.bool_()})
# A round may be in a pack and in a file of its own, or in two folders: the first file that has it counts.
_VIEWS = """
CREATE TEMP TABLE firsts AS SELECT id, min(filename) AS filename FROM stored GROUP BY id;
CREATE TEMP TABLE unique_rounds AS SELECT stored.* FROM stored SEMI JOIN firsts USING (id, filename);
CREATE VIEW rounds AS
  SELECT * EXCLUDE (
      format, filename, verdicts, excused, rules, pairs, plans, fits, findings, legs, two_legs, agreed, blocks
    )
      REPLACE (coalesce(queries, checks) AS queries),
    coalesce(sum(checks) OVER earlier, 0)::BIGINT AS before
  FROM unique_rounds
  WINDOW earlier AS (ORDER BY started, id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING);
CREATE VIEW seen AS
  SELECT id, unnest(findings, recursive := true) FROM unique_rounds;
"""


class Ledger:
    """The ledgers of campaign folders, as one; a context manager. It does not see files that are written later."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._connection = duckdb.connect()
        self._connection.execute("SET TimeZone = 'UTC'; SET threads = 1")
        opened = [Folder(path) for path in folders]
        files = [str(file) for folder in opened for file in folder.round_files()]
        if files:
            listed = ", ".join("'" + file.replace("'", "''") + "'" for file in files)
            self._register("all_columns", SCHEMA.append(pa.field("filename", _TEXT)), [])  # old files lack some
            self._connection.execute(
                f"""CREATE VIEW stored AS SELECT * FROM all_columns
                UNION ALL BY NAME SELECT * FROM read_parquet([{listed}], filename = true, union_by_name = true)"""
            )
        else:
            self._register("stored", SCHEMA.append(pa.field("filename", _TEXT)), [])
        self._connection.execute(_VIEWS)
        for nested in _NESTED:
            self._connection.execute(
                f"CREATE VIEW {nested} AS SELECT id, unnest({nested}, recursive := true) FROM unique_rounds"
            )
        found = findings_of(opened)
        self._register("findings", _FINDINGS, [{**entry, "script": _script(entry["file"])} for entry in found.entries])
        standing = [{"fingerprint": each, "stands": stands} for each, stands in found.standing.items()]
        self._register("standing", _STANDING, standing)
        incidents = {each["id"]: each for folder in opened for each in folder.read_incidents()}
        self._register("incidents", _INCIDENTS, [incidents[key] for key in sorted(incidents)])
        runs = {each["run"]: each for folder in opened for each in folder.read_runs()}
        self._register("runs", _RUNS, [{**run, "seed": str(run["seed"])} for run in runs.values()])
        releases = {spark: rules for folder in opened for spark, rules in folder.read_releases().items()}
        self._register(
            "releases",
            _RELEASES,
            [
                {"spark": spark, "rule": rule, "batch": batch, "switchable": switchable, "known": known}
                for spark, rules in releases.items()
                for rule, (batch, switchable, known) in rules.items()
            ],
        )

        listed_blocks = {file.name: file for folder in opened for file in folder.blocks.glob("*.parquet")}
        self._register("code", BLOCKS, [])
        if listed_blocks:
            tables = [parquet.read_table(file) for _, file in sorted(listed_blocks.items())]
            self._connection.register("code", pa.concat_tables(tables))

    def _register(self, name: str, schema: pa.Schema, rows: Sequence[Mapping[str, Any]]) -> None:
        table = pa.Table.from_pylist([{field: row.get(field) for field in schema.names} for row in rows], schema)
        self._connection.register(name, table)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """The rows of one SELECT over the views."""
        rows: list[dict[str, Any]] = self._connection.sql(sql, params=list(parameters)).to_arrow_table().to_pylist()
        return rows

    def totals(self) -> dict[str, Any]:
        """rounds, checks, queries, nonempty, stumbles, seconds (of all workers), rules, pairs, plans: one row."""
        return self.query(
            """SELECT count(*) AS rounds, coalesce(sum(checks), 0)::BIGINT AS checks,
              coalesce(sum(queries), 0)::BIGINT AS queries,
              coalesce(sum(nonempty), 0)::BIGINT AS nonempty, coalesce(sum(stumbles), 0)::BIGINT AS stumbles,
              coalesce(sum(seconds), 0)::DOUBLE AS seconds,
              (SELECT count(DISTINCT rule) FROM rules WHERE changed > 0) AS rules,
              (SELECT count(DISTINCT (one, other)) FROM pairs) AS pairs,
              (SELECT count(DISTINCT plan) FROM plans) AS plans
            FROM rounds"""
        )[0]

    def versions(self) -> list[dict[str, Any]]:
        """spark, duckdb, checks: the engines that were checked, those of the most checks first."""
        return self.query(
            """SELECT spark, duckdb, sum(checks)::BIGINT AS checks FROM rounds
            GROUP BY ALL ORDER BY checks DESC, spark, duckdb"""
        )

    def verdicts(self) -> list[dict[str, Any]]:
        """verdict, checks: the most frequent first."""
        return self.query(
            "SELECT verdict, sum(checks)::BIGINT AS checks FROM verdicts GROUP BY ALL ORDER BY checks DESC, verdict"
        )

    def legs(self) -> list[dict[str, Any]]:
        """leg, checks: in how many checks each leg gave evidence; for rounds without that count, all agreements."""
        return self.query(
            """WITH told AS (SELECT leg, checks FROM legs UNION ALL
              SELECT unnest(?), checks FROM verdicts
              WHERE verdict = 'agree' AND id IN (SELECT id FROM unique_rounds WHERE legs IS NULL))
            SELECT leg, sum(checks)::BIGINT AS checks FROM told GROUP BY leg ORDER BY leg""",
            [list(LEGS)],
        )

    def excused(self) -> list[dict[str, Any]]:
        """divergence, checks: the checks that each known divergence excused."""
        return self.query(
            """SELECT divergence, sum(checks)::BIGINT AS checks FROM excused
            GROUP BY ALL ORDER BY checks DESC, divergence"""
        )

    def fits(self) -> list[dict[str, Any]]:
        """divergence, checks, excused: in how many checks a silent entry fits the case, and how many it excused."""
        return self.query(
            """WITH own AS (SELECT divergence, sum(checks)::BIGINT AS checks FROM fits GROUP BY ALL),
            excuses AS (SELECT divergence, sum(checks)::BIGINT AS checks FROM excused GROUP BY ALL)
            SELECT divergence, own.checks, coalesce(excuses.checks, 0)::BIGINT AS excused
            FROM own LEFT JOIN excuses USING (divergence) ORDER BY own.checks DESC, divergence"""
        )

    def fitting(self) -> dict[str, Any]:
        """checks, of: in how many checks at least one silent entry fits the case, of all where that was counted."""
        return self.query(
            """SELECT coalesce(sum(fitting), 0)::BIGINT AS checks, coalesce(sum(checks), 0)::BIGINT AS of
            FROM rounds WHERE fitting IS NOT NULL"""
        )[0]

    def rules(self) -> list[dict[str, Any]]:
        """rule, changed, checked, fired, differed, two_legs, agreed: a row for each rule.

        Rules of the releases that are in no round have zeros.
        """
        return self.query(
            """SELECT rule, coalesce(sum(changed), 0)::BIGINT AS changed, coalesce(sum(checked), 0)::BIGINT AS checked,
              coalesce(sum(fired), 0)::BIGINT AS fired, coalesce(sum(differed), 0)::BIGINT AS differed,
              coalesce(sum(two_legs.checks), 0)::BIGINT AS two_legs,
              coalesce(sum(
                CASE WHEN uncounted THEN differed + coalesce(two_legs.checks, 0) ELSE agreed.checks END
              ), 0)::BIGINT AS agreed
            FROM (SELECT DISTINCT rule FROM releases UNION SELECT rule FROM rules)
            LEFT JOIN rules USING (rule) LEFT JOIN two_legs USING (id, rule) LEFT JOIN agreed USING (id, rule)
            LEFT JOIN (SELECT id, agreed IS NULL AS uncounted FROM unique_rounds) USING (id)
            GROUP BY ALL ORDER BY rule"""
        )

    def heat_map(self) -> list[dict[str, Any]]:
        """rule, kind, name, changed, checked, fired, differed, checks: a row for each rule in one source's rounds.

        ``checks`` counts all checks of that source.
        """
        return self.query(
            """WITH sources AS (SELECT kind, name, sum(checks)::BIGINT AS checks FROM rounds GROUP BY ALL)
            SELECT rule, kind, name, sum(changed)::BIGINT AS changed, sum(checked)::BIGINT AS checked,
              sum(fired)::BIGINT AS fired, sum(differed)::BIGINT AS differed, any_value(sources.checks) AS checks
            FROM rules JOIN (SELECT id, kind, name FROM rounds) USING (id) JOIN sources USING (kind, name)
            GROUP BY rule, kind, name ORDER BY rule, kind, name"""
        )

    def sources(self) -> list[dict[str, Any]]:
        """kind, name, rounds, checks, seconds: the totals of each shape, each composite shape, and general queries."""
        return self.query(
            """SELECT kind, name, count(*) AS rounds, sum(checks)::BIGINT AS checks, sum(seconds)::DOUBLE AS seconds
            FROM rounds GROUP BY ALL ORDER BY kind, name"""
        )

    def pair_matrix(self) -> list[dict[str, Any]]:
        """one, other, checks: in how many checks two rules, in the order of their names, changed one query's plan."""
        return self.query(
            "SELECT one, other, sum(checks)::BIGINT AS checks FROM pairs GROUP BY ALL ORDER BY one, other"
        )

    def discovery(self, points: int = 200) -> list[dict[str, Any]]:
        """checks, plans, pairs, blocks: distinct ones in the first ``checks`` checks, at about ``points`` points.

        Checks are counted in the order in which their rounds were started; within a round, as they were made.
        """
        return self.query(
            """WITH total AS (SELECT greatest(1, coalesce(sum(checks), 0)) AS checks FROM rounds),
            steps AS (SELECT DISTINCT ceil(step * checks / ?)::BIGINT AS checks
              FROM total, range(1, ? + 1) AS points(step)),
            new_plans AS (SELECT min(before + first) AS since FROM plans JOIN rounds USING (id) GROUP BY plan),
            new_pairs AS (SELECT min(before + first) AS since FROM pairs JOIN rounds USING (id) GROUP BY one, other),
            new_blocks AS (SELECT min(before + first) AS since FROM blocks JOIN rounds USING (id) GROUP BY spark, block)
            SELECT checks,
              (SELECT count(*) FROM new_plans WHERE since <= steps.checks) AS plans,
              (SELECT count(*) FROM new_pairs WHERE since <= steps.checks) AS pairs,
              (SELECT count(*) FROM new_blocks WHERE since <= steps.checks) AS blocks
            FROM steps ORDER BY checks""",
            [points, points],
        )

    def blocks(self) -> list[dict[str, Any]]:
        """The columns of ``code``, and ran: whether some check ran the block."""
        return self.query(
            """SELECT code.*, own.block IS NOT NULL AS ran
            FROM code LEFT JOIN (SELECT DISTINCT spark, block FROM blocks JOIN rounds USING (id)) AS own
              USING (spark, block)
            ORDER BY spark, part, file, lines, block"""
        )

    def throughput(self, points: int = 120) -> list[dict[str, Any]]:
        """run, since, after, checks, per_second: the throughput over time, about ``points`` rows for the longest run.

        ``since`` is a moment, ``after`` the seconds since the run's first round began, ``per_second`` the rate of all
        workers together. A round's checks are spread evenly over its time. A run's last step counts with the time that
        the run fills.
        """
        return self.query(
            """WITH spans AS (SELECT run, checks, epoch(started) AS since,
              epoch(started) + greatest(seconds, 1e-3) AS till FROM rounds),
            runs AS (SELECT run, min(since) AS start, max(till) - min(since) AS length FROM spans GROUP BY run),
            width AS (SELECT greatest(1, ceil(max(length) / ?)) AS width FROM runs),
            parts AS (SELECT run, step, start, length, width, checks / (till - since)
                * (least(till - start, (step + 1) * width) - greatest(since - start, step * width)) AS checks
              FROM spans JOIN runs USING (run), width, unnest(
                range(floor((since - start) / width)::BIGINT, ceil((till - start) / width)::BIGINT)) AS steps(step))
            SELECT run, to_timestamp(any_value(start) + step * any_value(width)) AS since,
              step * any_value(width) AS after, sum(checks) AS checks,
              sum(checks) / (least(any_value(length), (step + 1) * any_value(width)) - step * any_value(width))
                AS per_second
            FROM parts GROUP BY run, step ORDER BY since, run""",
            [points],
        )

    def lost(self) -> list[str]:
        """The fingerprints in finished rounds whose bugs have no failure file."""
        rows = self.query("SELECT DISTINCT fingerprint FROM seen ANTI JOIN standing USING (fingerprint) ORDER BY ALL")
        return [row["fingerprint"] for row in rows]

    def findings(self) -> list[dict[str, Any]]:
        """The columns of ``findings``, each bug once, with ``count`` and ``runs``.

        ``count`` is the number of checks in finished rounds that showed the bug, ``runs`` the runs of these rounds.
        """
        return self.query(
            """SELECT findings.*, coalesce(told.count, 0)::BIGINT AS count, coalesce(told.runs, []) AS runs
            FROM findings LEFT JOIN (
              SELECT stands AS fingerprint, sum(count) AS count, list(DISTINCT run ORDER BY run) AS runs
              FROM seen JOIN standing USING (fingerprint) JOIN (SELECT id, run FROM rounds) USING (id)
              GROUP BY stands) AS told USING (fingerprint)
            ORDER BY kind, fingerprint"""
        )

    def trends(self) -> list[dict[str, Any]]:
        """run, started, checks, per_second, findings, unproven, new_plans: a row for each run.

        ``unproven`` counts the checks that ended neither in an agreement, nor vacuously, nor in a finding.
        Only runs that finished a round have one, the oldest first. ``per_second`` is the rate of one worker.
        """
        return self.query(
            """WITH first_seen AS (SELECT plan, arg_min(run, before + first) AS run
              FROM plans JOIN rounds USING (id) GROUP BY plan),
            ends AS (SELECT run, sum(checks) AS unproven FROM verdicts JOIN (SELECT id, run FROM rounds) USING (id)
              WHERE verdict NOT IN ('agree', 'vacuous', 'finding') GROUP BY run)
            SELECT run, min(started) AS started, sum(checks)::BIGINT AS checks,
              sum(checks) / greatest(sum(seconds), 1e-6) AS per_second,
              (SELECT count(DISTINCT coalesce(stands, fingerprint))
                FROM seen LEFT JOIN standing USING (fingerprint) JOIN (SELECT id, run AS its FROM rounds) USING (id)
                WHERE its = rounds.run) AS findings,
              coalesce(any_value(ends.unproven), 0)::BIGINT AS unproven,
              (SELECT count(*) FROM first_seen WHERE first_seen.run = rounds.run) AS new_plans
            FROM rounds LEFT JOIN ends USING (run) GROUP BY run ORDER BY started, run"""
        )


def _script(file: str) -> str | None:
    beside = script_path(Path(file))
    return str(beside) if beside.is_file() else None
