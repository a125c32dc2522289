"""The folder of a campaign: its layout, and writes that leave it whole if the process is killed at any moment.

Every file is renamed into its place when it is complete, and none is changed afterwards but by replacing it:

=======================  ===========================================================================================
``ledger/rounds``        one Parquet file for each finished round (see :mod:`assay.ledger.rounds`)
``ledger/packs``         many such files in one, so that weeks of rounds stay quick to read
``ledger/runs``          one JSON file for each run of the campaign: what it was asked, how it ended
``ledger/releases``      for each Spark that ran, the rules that it lists
``ledger/blocks``        for each Spark that ran with probes, the basic blocks of its optimizer
``ledger/incidents``     what went wrong beside the findings: a JVM or worker lost, a full disk, a fault of the suite
``findings``             failure files, as ``replay`` takes them, with their scripts; in ``original`` what they were
                         before shrinking, and what other queries showed the same
``issues``               for each finding that was new to the folder, the text of an issue in Markdown
``corpus``               for each worker the cases that ran new code of the optimizer (:mod:`assay.campaign.steering`)
``running``              for each worker the current case
``logs``, ``tmp``        what the workers and their JVMs print; their temporary files
=======================  ===========================================================================================
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from assay.ledger.rounds import SCHEMA, Round, UnreadableRound, from_bytes, table_bytes, table_of, to_bytes
from oracles.answers.atomic import write_bytes, write_json
from oracles.failures.incidents import read_incidents, write_incident

PACK = 100
"""The number of files of single rounds after which they are packed into one."""


class FolderTaken(RuntimeError):
    """Another campaign is running in the folder."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A campaign's folder; subfolders are made when something is written to them."""

    path: Path

    @property
    def rounds(self) -> Path:
        """Files of single rounds."""
        return self.path / "ledger" / "rounds"

    @property
    def packs(self) -> Path:
        """Files of many rounds."""
        return self.path / "ledger" / "packs"

    @property
    def runs(self) -> Path:
        """A file for each run."""
        return self.path / "ledger" / "runs"

    @property
    def releases(self) -> Path:
        """A file with the rules of each Spark release."""
        return self.path / "ledger" / "releases"

    @property
    def blocks(self) -> Path:
        """A file with the basic blocks of each Spark release; see :mod:`assay.ledger.blocks`."""
        return self.path / "ledger" / "blocks"

    @property
    def incidents(self) -> Path:
        """A file for each incident."""
        return self.path / "ledger" / "incidents"

    @property
    def findings(self) -> Path:
        """Failure files."""
        return self.path / "findings"

    @property
    def issues(self) -> Path:
        """Texts for tickets."""
        return self.path / "issues"

    @property
    def originals(self) -> Path:
        """Failure files as they were before they were minimized."""
        return self.findings / "original"

    @property
    def corpus(self) -> Path:
        """A file of members of the steering corpus for each worker."""
        return self.path / "corpus"

    @property
    def logs(self) -> Path:
        """The output of workers."""
        return self.path / "logs"

    @property
    def temporary(self) -> Path:
        """Temporary files, removed when a run ends."""
        return self.path / "tmp"

    def current_case(self, worker: int) -> Path:
        """The file of the current case of ``worker``."""
        return self.path / "running" / f"worker-{worker}.json"

    def write_round(self, one: Round) -> Path:
        """Write a finished round to disk at once."""
        path = self.rounds / f"{one.id.text}.parquet"
        write_bytes(path, to_bytes([one]))
        return path

    def round_files(self) -> list[Path]:
        """The files that hold rounds; a round may be in two of them if packing was killed."""
        return sorted([*self.packs.glob("*.parquet"), *self.rounds.glob("*.parquet")])

    def read_rounds(self) -> list[Round]:
        """Every round, once, in the order in which they were started; UnreadableRound names a file that holds none."""
        rounds: dict[str, Round] = {}
        for file in self.round_files():
            try:
                rounds |= {each.id.text: each for each in from_bytes(file.read_bytes())}
            except UnreadableRound as problem:
                raise UnreadableRound(f"{file}: {problem}") from problem
        return sorted(rounds.values(), key=lambda each: (each.started, each.id.text))

    def pack(self, ids: Container[str] | None = None) -> None:
        """Pack the files of single rounds into one file, only the rounds with these ``ids`` if any are given.

        The caller must hold the lock.

        If the process is killed in between, rounds are in two files: readers count them once, and the next call removes
        the extra files.
        """
        packed = {
            identity
            for file in self.packs.glob("*.parquet")
            for identity in table_of(file.read_bytes()).column("id").to_pylist()
        }
        loose = [file for file in sorted(self.rounds.glob("*.parquet")) if ids is None or file.stem in ids]
        fresh = [file for file in loose if file.stem not in packed]
        if len(fresh) >= PACK:
            table = pa.concat_tables([SCHEMA.empty_table(), *(table_of(file.read_bytes()) for file in fresh)])
            write_bytes(self.packs / f"{fresh[0].stem}--{fresh[-1].stem}.parquet", table_bytes(table))
            packed |= {file.stem for file in fresh}
        for file in loose:
            if file.stem in packed:
                file.unlink()

    def write_incident(self, kind: str, told: str, **facts: Any) -> Path:
        """Write an incident to disk: its kind, one line ``told`` that describes it, and further ``facts``."""
        return write_incident(self.incidents, kind, told, **facts)

    def read_incidents(self) -> list[dict[str, Any]]:
        """All incidents, the oldest first."""
        return read_incidents(self.incidents)

    def write_run(self, run: Mapping[str, Any]) -> None:
        """Write the data of one run of the campaign to the file named by its ``run``."""
        write_json(self.runs / f"{run['run']}.json", {"format": 1, **run})

    def read_runs(self) -> list[dict[str, Any]]:
        """All runs, the oldest first."""
        runs = [json.loads(file.read_text(encoding="utf-8")) for file in self.runs.glob("*.json")]
        return sorted(runs, key=lambda run: (run["started"], run["run"]))

    def write_release(self, spark: str, rules: Mapping[str, Any]) -> None:
        """Write the rules that the running Spark lists to disk."""
        write_json(self.releases / f"{spark}.json", {"format": 1, "spark": spark, "rules": rules})

    def read_releases(self) -> dict[str, dict[str, Any]]:
        """The rules of each Spark release, by version."""
        releases = (json.loads(file.read_text(encoding="utf-8")) for file in sorted(self.releases.glob("*.json")))
        return {release["spark"]: release["rules"] for release in releases}

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Lock the folder while the context lasts; FolderTaken if another process has locked it.

        The lock ends with the process, even if it is killed. Half-written files of a killed run are removed.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise FolderTaken(f"{self.path}: another campaign is running there") from error
            self._clear()
            yield
        finally:
            os.close(handle)

    def _clear(self) -> None:
        shutil.rmtree(self.temporary, ignore_errors=True)
        ledger = (self.rounds, self.packs, self.runs, self.releases, self.blocks, self.incidents)
        for folder in (*ledger, self.findings, self.corpus):
            for file in folder.glob(".*"):
                if file.is_file():
                    file.unlink(missing_ok=True)
