"""Read all data of a report page once: the ledger's rows, the failures, the mutants' kills, the verifications, the
inverted conditionals.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import pyarrow as pa
import pyarrow.parquet as parquet

from assay.ledger.blocks import SCHEMA as BLOCKS
from assay.ledger.folder import Folder
from assay.ledger.read import Ledger
from assay.ledger.rounds import FORMAT, is_of_rounds
from assay.report.fates import Fates, fates_of, together
from assay.session.ending import BadInput
from assay.verify.verification import VerificationOutcome
from oracles.checks.finding_kind import FindingKind
from oracles.failures.failure import Failure, UnreadableFailure, read_failure, script_path

Row = Mapping[str, Any]

_KILL: Mapping[str, type | tuple[type, ...]] = {
    "name": str,
    "rule": str,
    "by": str,
    "killed": bool,
    "examples": int,
    "seconds": (int, float),
}
_VERIFIED: Mapping[str, type | tuple[type, ...]] = {
    "verdict": str,
    "pairs": int,
    "comparisons": int,
    "seconds": (int, float),
    "excused": dict,
    "briefly": str,
    "databases": str,
}


@dataclass(frozen=True, slots=True)
class Found:
    """A finding: its row in the ledger's list, its failure, and the paths of its file and its script ('' if none)."""

    row: Row
    failure: Failure
    file: str
    script: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaigns:
    """The data of several campaign folders together. The rows are those of the Ledger's methods of the same names.

    ``findings`` are in the order of the page. ``lost`` are fingerprints that a round reports without a file, ``unread``
    files of findings that this Assay can't read. ``kills`` come from summaries of mutants, ``verified`` from those of
    verifications, ``inverted`` from those of inversions, with the fates of the conditionals of each rule.
    """

    names: tuple[str, ...]
    totals: Row
    versions: Sequence[Row]
    verdicts: Sequence[Row]
    legs: Sequence[Row]
    excused: Sequence[Row]
    fits: Sequence[Row]
    fitting: Row
    rules: Sequence[Row]
    releases: Sequence[Row]
    heat_map: Sequence[Row]
    sources: Sequence[Row]
    pairs: Sequence[Row]
    discovery: Sequence[Row]
    blocks: Sequence[Row]
    throughput: Sequence[Row]
    trends: Sequence[Row]
    runs: Sequence[Row]
    incidents: Sequence[Row]
    findings: tuple[Found, ...]
    lost: tuple[str, ...]
    unread: tuple[str, ...]
    kills: tuple[Row, ...]
    verified: tuple[Row, ...] = ()
    inverted: Fates = field(default_factory=dict)


def read_campaigns(
    folders: Sequence[Path],
    mutants: Sequence[Path] = (),
    here: Path = Path(),
    verified: Sequence[Path] = (),
    inverted: Sequence[Path] = (),
) -> Campaigns:
    """Read the campaigns in ``folders``, and the summaries of mutants, verifications and inversions.

    These are ``mutants``, ``verified`` and ``inverted``, and ``mutants*.json``, ``verified*.json`` and
    ``inversions*.json`` in the folders. Files are named as seen from ``here``. BadInput says in one line which
    folder or file is no good, and why.
    """
    for folder in folders:
        _require_ledger(folder)
    killed = _with_found(mutants, folders, "mutants*.json")
    checked = _with_found(verified, folders, "verified*.json")
    turned = _with_found(inverted, folders, "inversions*.json")
    with Ledger(folders) as ledger:
        findings = sorted((_found(row, here) for row in ledger.findings()), key=_rank)
        return Campaigns(
            names=tuple(_seen_from(folder, here) for folder in folders),
            totals=ledger.totals(),
            versions=ledger.versions(),
            verdicts=ledger.verdicts(),
            legs=ledger.legs(),
            excused=ledger.excused(),
            fits=ledger.fits(),
            fitting=ledger.fitting(),
            rules=ledger.rules(),
            releases=ledger.query(
                "SELECT DISTINCT ON (rule) rule, batch, switchable, known FROM releases ORDER BY ALL"
            ),
            heat_map=ledger.heat_map(),
            sources=ledger.sources(),
            pairs=ledger.pair_matrix(),
            discovery=ledger.discovery(),
            blocks=ledger.blocks(),
            throughput=ledger.throughput(),
            trends=ledger.trends(),
            runs=ledger.query("SELECT * FROM runs ORDER BY started, run"),
            incidents=ledger.query('SELECT * FROM incidents ORDER BY "when", id'),
            findings=tuple(findings),
            lost=tuple(ledger.lost()),
            unread=tuple(_seen_from(file, here) for file in _unread(folders)),
            kills=tuple(_kills(killed)),
            verified=tuple(_verified(checked)),
            inverted=together([_inverted(file) for file in turned]),
        )


def _with_found(files: Sequence[Path], folders: Sequence[Path], pattern: str) -> list[Path]:
    """``files``, and those of ``folders`` that fit ``pattern``."""
    return [*files, *sorted(file for folder in folders for file in folder.glob(pattern) if file not in files)]


def _found(row: Row, here: Path) -> Found:
    file = Path(row["file"])
    script = script_path(file)
    return Found(row, read_failure(file), _seen_from(file, here), _seen_from(script, here) if script.is_file() else "")


def _rank(found: Found) -> tuple[Any, ...]:
    """The sort key of findings: confirmed ones first, then by kind, then the most frequent ones."""
    row = found.row
    kind = list(FindingKind).index(row["kind"])
    return not row["confirmed"], kind, row["kind"], -row["count"], row["fingerprint"]


def _seen_from(path: Path, here: Path) -> str:
    """``path`` from ``here``, if it lies below; else as it is."""
    try:
        return path.absolute().relative_to(here.absolute()).as_posix()
    except ValueError:
        return path.as_posix()


def _unread(folders: Iterable[Path]) -> list[Path]:
    unread = []
    for folder in folders:
        for file in sorted(Folder(folder).findings.glob("*.json")):
            try:
                read_failure(file)
            except UnreadableFailure:
                unread.append(file)
    return unread


def _require_ledger(path: Path) -> None:
    folder = Folder(path)
    if not path.is_dir():
        raise BadInput(f"{path}: no such folder")
    if not (path / "ledger").is_dir():
        raise BadInput(f"{path}: no campaign's folder: it has no ledger")
    for file in folder.round_files():
        _require_rounds(file)
    for file in folder.blocks.glob("*.parquet"):
        _require_blocks(file)
    for place in (folder.runs, folder.releases, folder.incidents):
        for file in sorted(place.glob("*.json")):
            if _json(file).get("format") != 1:
                raise BadInput(f"{file}: of another format than this Assay reads")


def _require_rounds(file: Path) -> None:
    """Require a file of rounds in a format that this Assay reads; only its footer and one column are read."""
    try:
        with parquet.ParquetFile(file) as opened:
            if not is_of_rounds(opened.schema_arrow):
                raise BadInput(f"{file}: rounds of another format than this Assay reads")
            formats = set(opened.read(columns=["format"]).column("format").to_pylist())
    except (pa.ArrowInvalid, OSError) as error:
        raise BadInput(f"{file}: no rounds: {' '.join(str(error).split())}") from error
    if formats - {FORMAT}:
        raise BadInput(f"{file}: rounds of format {min(formats - {FORMAT})}; this Assay reads format {FORMAT}")


def _require_blocks(file: Path) -> None:
    try:
        schema = parquet.read_schema(file)
    except (pa.ArrowInvalid, OSError) as error:
        raise BadInput(f"{file}: no blocks: {' '.join(str(error).split())}") from error
    if not schema.equals(BLOCKS):
        raise BadInput(f"{file}: blocks of another format than this Assay reads")


def _json(file: Path) -> dict[str, Any]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"{file}: no JSON: {' '.join(str(error).split())}") from error
    if not isinstance(data, dict):
        raise BadInput(f"{file}: of another format than this Assay reads")
    return data


def _kills(files: Iterable[Path]) -> list[Row]:
    """The kills in summaries of mutants, by rule and name; of two equal runs for one mutant, the later file's."""
    kills: dict[tuple[str, str], Row] = {}
    for file in files:
        entries = _json(file).get("mutants")
        if not isinstance(entries, list) or not all(map(_is_kill, entries)):
            raise BadInput(f"{file}: no summary of mutants")
        kills |= {(entry["name"], entry["by"]): entry for entry in entries}
    return sorted(kills.values(), key=lambda each: (each["rule"], each["name"], each["by"]))


def _is_kill(entry: object) -> bool:
    if not isinstance(entry, dict) or not _has(entry, _KILL):
        return False
    return all(size is None or isinstance(size, int) for size in (entry.get("operators"), entry.get("rows")))


def _has(entry: Mapping[str, Any], keys: Mapping[str, type | tuple[type, ...]]) -> bool:
    return all(isinstance(entry.get(key), kind) for key, kind in keys.items())


def _verified(files: Iterable[Path]) -> list[Row]:
    """The verifications of Spark's and users' rules, by rule; of two of one rule, the later file's."""
    verified: dict[str, Row] = {}
    for file in files:
        entries = _json(file).get("rules")
        if not isinstance(entries, dict) or not all(
            isinstance(entry, dict) and _has(entry, _VERIFIED) and entry["verdict"] in get_args(VerificationOutcome)
            for entry in entries.values()
        ):
            raise BadInput(f"{file}: no summary of a verification")
        verified |= {name: {**entry, "rule": name} for name, entry in entries.items() if "mutant_of" not in entry}
    return [verified[name] for name in sorted(verified)]


def _inverted(file: Path) -> Fates:
    fates = fates_of(_json(file))
    if fates is None:
        raise BadInput(f"{file}: no summary of inversions")
    return fates
