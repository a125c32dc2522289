"""``tox run -e merge -- DIR… --out DIR``: merge the ledgers and findings of several campaign folders into one.

The result has rounds, incidents and runs once by their ids, and findings once by their bugs, of which the confirmed and
then the smaller one stays. Merging again, or in another order, gives the same result.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as compute

from assay.fuzz.unjudged import FOLDER, unjudged_files
from assay.ledger.distinct import findings_of, tidy
from assay.ledger.folder import Folder, FolderTaken
from assay.ledger.news import write_news
from assay.ledger.read import Ledger
from assay.ledger.rounds import SCHEMA, UnreadableRound, table_bytes, table_of
from assay.session.ending import BadInput, Exit
from oracles.answers.atomic import write_bytes
from oracles.failures.failure import UnreadableFailure, read_failure, script_path, write_failure


def run(folders: Sequence[Path], out: Path) -> int:
    """Merge the campaigns in ``folders`` into ``out``, and print the totals of ``out``."""
    if not folders:
        raise BadInput("merge: name at least one campaign's folder")
    try:
        into = Folder(out)
        before = findings_of([into])
        merge(folders, into.path)
        fresh = write_news(into, before)
        with Ledger([out]) as ledger:
            totals, findings = ledger.totals(), len(ledger.findings())
    except (FolderTaken, UnreadableRound) as problem:
        raise BadInput(str(problem)) from problem
    counts = ", ".join(f"{totals[name]} {name}" for name in ("checks", "rounds", "rules", "pairs", "plans"))
    print(f"{out}: {counts}, {findings} findings")
    for file in fresh:
        print(f"new: {file}")
    return Exit.GREEN


def merge(sources: Sequence[Path], out: Path) -> None:
    """Merge the campaign folders ``sources`` into ``out``, which keeps its own content.

    Raises BadInput for a folder without a ledger, and FolderTaken if a campaign is running in ``out``.
    """
    for source in sources:
        if not (source / "ledger").is_dir():
            raise BadInput(f"{source}: no campaign's folder: it has no ledger")
    into = Folder(out)
    with into.taken():
        for source in sources:
            if source.resolve() != out.resolve():
                _merge_one(Folder(source), into)
        tidy(into)


def _merge_one(source: Folder, into: Folder) -> None:
    present = {identity for file in into.round_files() for identity in _ids(_table(file))}
    fresh = [SCHEMA.empty_table()]
    for file in source.round_files():
        table = _table(file)
        new = [identity not in present for identity in _ids(table)]
        fresh.append(table.filter(pa.array(new, pa.bool_())))
        present.update(_ids(table))
    rounds = pa.concat_tables(fresh)
    if rounds.num_rows:
        ids = rounds.column("id")
        name = f"{compute.min(ids).as_py()}--{compute.max(ids).as_py()}"
        write_bytes(into.packs / f"{name}.parquet", table_bytes(rounds))
    for theirs, ours in (
        (source.findings, into.findings),
        (source.originals, into.originals),
        (source.findings / "paths", into.findings / "paths"),
    ):
        for file in sorted(theirs.glob("*.json")):
            _merge_failure(file, ours)
    for file in unjudged_files(source.findings):
        write_bytes(into.findings / FOLDER / file.name, file.read_bytes())
    for theirs, ours in ((source.runs, into.runs), (source.incidents, into.incidents)):
        for file in sorted(theirs.glob("*.json")):
            # A run that has ended says more than one that hasn't.
            if not (ours / file.name).exists() or "ended" in json.loads(file.read_text(encoding="utf-8")):
                write_bytes(ours / file.name, file.read_bytes())
    for file in sorted(source.blocks.glob("*.parquet")):
        write_bytes(into.blocks / file.name, file.read_bytes())
    known = into.read_releases()
    for spark, rules in source.read_releases().items():
        into.write_release(spark, {**known.get(spark, {}), **rules})


def _table(file: Path) -> pa.Table:
    try:
        return table_of(file.read_bytes())
    except UnreadableRound as problem:
        raise UnreadableRound(f"{file}: {problem}") from problem


def _ids(table: pa.Table) -> list[str]:
    ids: list[str] = table.column("id").to_pylist()
    return ids


def _merge_failure(file: Path, folder: Path) -> None:
    """Merge a failure file into ``folder``: the better of two stays, with its script; unreadable files are copied."""
    script = script_path(file)
    try:
        write_failure(folder, read_failure(file), script.read_text(encoding="utf-8") if script.is_file() else None)
    except UnreadableFailure:
        if not (folder / file.name).exists():
            write_bytes(folder / file.name, file.read_bytes())
