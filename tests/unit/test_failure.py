"""Failure files: what is written is read again, what isn't one is refused, and the smallest stays."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given

import oracles.answers.rows
import oracles.failures.failure
import strategies.ir.codec
from oracles.answers.atomic import write_json
from oracles.answers.rows import from_plain as outcome_from_plain
from oracles.checks.verdict import Verdict
from oracles.failures.confirmation import Stock
from oracles.failures.failure import (
    Failure,
    UnreadableFailure,
    discard_failure,
    failure_path,
    read_failure,
    script_path,
    to_json,
    write_failure,
)
from oracles.failures.scale import Scale
from strategies.draw.cases import cases
from strategies.ir import (
    Case,
    Filter,
    SetOp,
    Settings,
)
from tests.unit.failure_samples import EXCEPT, LEGS, OVERFLOW, RULES, SUBJECT, case_of, checked_of, failure

PLAIN = to_json(failure())


def written_and_read(given_failure: Failure) -> Failure:
    """``given_failure`` by way of a file."""
    with TemporaryDirectory() as folder:
        return read_failure(write_failure(Path(folder), given_failure))


@given(cases())
def test_a_drawn_case_survives_its_file(case: Case) -> None:
    finding = failure(checked_of(case))
    assert written_and_read(finding) == finding


FAILURES: dict[str, Failure] = {
    "all set": failure(confirmed=True),
    "nothing set": Failure(
        case=case_of(), verdict=Verdict(name="finding", kind="engine", blame="unknown", reason=""), rules=(), off=()
    ),
    "no off leg, and errors": failure(checked_of(legs={"on": OVERFLOW, "duckdb": LEGS["duckdb"]}), ()),
    "settings": failure(checked_of(case_of(settings=Settings("orc", "dataframe", True, True, 3)))),
    "seen on stock Spark": replace(failure(), stock=Stock("confirmed", "under Spark's own settings")),
    "with the plans around its rule": replace(failure(), plans={RULES[0]: ("Except false\n", "Distinct\n")}),
    "seen on another Spark": replace(failure(), subject=replace(SUBJECT, spark_home="/opt/my spark")),
    "of many rows": replace(failure(), scale=Scale(10_000_000, 5)),
    "text that JSON escapes": replace(failure(), sql={"spark": "\u2028 \\ \" ' \0 é 😀"}),
}


@pytest.mark.parametrize("finding", FAILURES.values(), ids=FAILURES)
def test_every_part_survives_its_file(finding: Failure) -> None:
    again = written_and_read(finding)
    assert again == finding
    assert again.fingerprint == finding.fingerprint


def test_the_legs_outcomes_can_be_read_from_a_file() -> None:
    assert {name: outcome_from_plain(leg) for name, leg in written_and_read(failure()).legs.items()} == LEGS


def test_a_file_is_named_by_its_fingerprint_and_says_what_stands_in_the_summary(tmp_path: Path) -> None:
    finding = failure()
    file = write_failure(tmp_path, finding)
    written = json.loads(file.read_text(encoding="utf-8"))
    assert file == failure_path(tmp_path, finding) == tmp_path / f"{finding.fingerprint}.json"
    assert (written["format"], written["fingerprint"]) == (1, finding.fingerprint)
    assert (written["kind"], written["blame"], written["rules"]) == ("rule", "on", list(RULES))


def test_a_summary_says_how_big_the_counterexample_is(tmp_path: Path) -> None:
    finding = failure(confirmed=True)
    assert finding.summary(tmp_path / "x.json", 5) == {
        "fingerprint": finding.fingerprint,
        "kind": "rule",
        "blame": "on",
        "rules": list(RULES),
        "file": str(tmp_path / "x.json"),
        "operators": 2,
        "rows": 3,
        "count": 5,
        "confirmed": True,
        "stock": None,
    }


def test_a_summary_says_whether_stock_spark_shows_it() -> None:
    assert replace(failure(), stock=Stock("assay-only", "its script ends with 0")).summary()["stock"] == "assay-only"


def edited(**changes: Any) -> str:
    """A failure file with other values under some keys."""
    return json.dumps(PLAIN | changes)


NO_FAILURES: dict[str, tuple[str, str]] = {
    "empty": ("", "no failure file"),
    "no JSON": ("SELECT 1", "no failure file"),
    "half of it": (json.dumps(PLAIN)[:200], "no failure file"),
    "nested without end": ("[" * 100_000, "no failure file"),
    "a list": ("[]", "it has no format"),
    "a number": ("1", "it has no format"),
    "no format": ("{}", "it has no format"),
    "shown by no script": (edited(stock={"shown": "twice", "reason": ""}), "broken failure file"),
    "plans that are one text": (edited(plans={RULES[0]: "Except"}), "'ReplaceExceptWithFilter' can't be 'Except'"),
    "a plan before and none after": (edited(plans={RULES[0]: ["Except"]}), "broken failure file"),
    "half of what a script showed": (edited(stock={"shown": "confirmed", "why": ""}), "broken failure file"),
    "a scale without a seed": (edited(scale={"rows": 1}), "broken failure file"),
    "a scale in words": (edited(scale={"rows": "many", "seed": 1}), "'rows' can't be 'many'"),
    "a later format": (edited(format=2), "format 2, and this Assay reads format 1"),
    "a format in words": (edited(format="1"), "format '1', and this Assay reads format 1"),
    "an unknown node": (edited(case={"node": "Nope"}), "no such node: 'Nope'"),
    "an abstract node": (edited(case={"node": "Relation"}), "no such node: 'Relation'"),
    "no node": (edited(case={}), "no such node: None"),
    "a node that isn't a case": (edited(case={"node": "Column", "name": "a", "type": {"type": "INT"}}), "no case"),
    "a case without a database": (edited(case={"node": "Case", "query": None}), "Case"),
    "an unknown type": (edited(case={"type": "HUGEINT"}), "no such type: 'HUGEINT'"),
    "an unknown kind": (edited(kind="hunch"), "kind 'hunch'"),
    "an unknown blame": (edited(blame="user"), "blame 'user'"),
    "no kind": (edited(kind=None), "kind None"),
    "rules that are one text": (edited(rules="ReplaceExceptWithFilter"), "'rules'"),
    "rules that are numbers": (edited(off=[1]), "'off'"),
    "settings that are a list": (edited(on_settings=[]), "'on_settings'"),
    "settings that are numbers": (edited(off_settings={"spark.sql.ansi.enabled": 1}), "'off_settings'"),
    "a mutant that is no name": (edited(mutant=[]), "'mutant'"),
    "a seed in words": (edited(seed="one"), "'seed'"),
}


@pytest.mark.parametrize(("text", "reason"), NO_FAILURES.values(), ids=NO_FAILURES)
def test_what_is_no_failure_file_is_refused_in_one_line(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "failure.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFailure) as refused:
        read_failure(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert reason in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("key", sorted(PLAIN.keys() - {"format", "fingerprint"}))
def test_a_file_without_one_of_its_keys_is_refused_with_the_key(tmp_path: Path, key: str) -> None:
    path = tmp_path / "failure.json"
    write_json(path, {name: value for name, value in PLAIN.items() if name != key})
    with pytest.raises(UnreadableFailure, match=f"^{path}: broken failure file: .*'{key}'"):
        read_failure(path)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (Path.mkdir, "is a folder: name its files"),
        (lambda path: None, "no such file"),
        (lambda path: path.symlink_to(path), "can't be read: Too many levels of symbolic links"),
        (lambda path: path.write_bytes(b"\xff\xfe"), r"no failure file: [^\n]+"),
    ],
    ids=["a folder", "nothing", "a loop", "no text"],
)
def test_what_can_not_be_read_is_refused_in_one_line(tmp_path: Path, make: Callable[[Path], Any], said: str) -> None:
    path = tmp_path / "failure.json"
    make(path)
    with pytest.raises(UnreadableFailure, match=f"^{path}: {said}$"):
        read_failure(path)


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The path to every value inside of ``value``."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(spot for name, part in parts for spot in spots(part, (*path, name)))]


def with_spot(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """``value`` with ``new`` at ``path``."""
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = with_spot(value[path[0]], path[1:], new)
    return copy


def reading(data: Any) -> str:
    """Why ``data`` can't be read as a failure, empty where it can; anything but UnreadableFailure comes through."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "failure.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        try:
            read_failure(path)
        except UnreadableFailure as refused:
            return str(refused)
        return ""


@pytest.mark.parametrize(
    "new",
    [None, True, -1, 0.5, "", "Scan", [], [None], {}, {"node": "Scan"}, {"type": "INT"}, {"node": "Case"}],
    ids=repr,
)
def test_no_single_wrong_value_in_a_file_ends_in_anything_but_one_line(new: Any) -> None:
    answers = {reading(with_spot(PLAIN, spot, new)) for spot in spots(PLAIN)}
    assert len(answers) > 1
    assert {len(answer.splitlines()) for answer in answers} <= {0, 1}


DANGEROUS = {"eval", "exec", "compile", "__import__", "pickle", "marshal", "shelve", "yaml"}


@pytest.mark.parametrize(
    "module", [oracles.failures.failure, strategies.ir.codec, oracles.answers.rows], ids=lambda module: module.__name__
)
def test_reading_a_failure_evaluates_nothing(module: ModuleType) -> None:
    nodes = list(ast.walk(ast.parse(inspect.getsource(module))))
    called = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    imported = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    assert not DANGEROUS & (called | imported)


@pytest.mark.parametrize("key", sorted(PLAIN.keys() - {"format", "seed", "confirmed"}))
def test_code_in_a_failure_is_text(tmp_path: Path, key: str) -> None:
    mark = tmp_path / "evaluated"
    reading(PLAIN | {key: f"__import__('pathlib').Path({str(mark)!r}).touch()"})
    assert not mark.exists()


SMALL = failure()
SMALL_CONFIRMED = replace(SMALL, confirmed=True)
MANY_ROWS = failure(checked_of(case_of(rows=((1, "x"),) * 9)))
LONGER = failure(checked_of(case_of(SetOp("except", EXCEPT.left, Filter(EXCEPT, EXCEPT.right.condition)))))
SAME_SIZE = replace(SMALL, seed=99)

LARGE = replace(failure(checked_of(case_of(rows=()))), scale=Scale(100_000, 5))

STAYS: dict[str, tuple[Failure, Failure]] = {
    "a smaller one: rows that a seed makes": (SMALL, LARGE),
    "a smaller one: rows": (SMALL, MANY_ROWS),
    "a smaller one: operators": (SMALL, LONGER),
    "one as small": (SMALL, SAME_SIZE),
    "confirmed, and as small": (SMALL_CONFIRMED, SMALL),
    "confirmed, and bigger": (replace(MANY_ROWS, confirmed=True), SMALL),
    "confirmed, and smaller": (SMALL_CONFIRMED, MANY_ROWS),
    "confirmed and smaller than one confirmed": (SMALL_CONFIRMED, replace(MANY_ROWS, confirmed=True)),
}


@pytest.mark.parametrize(("present", "other"), STAYS.values(), ids=STAYS)
def test_what_is_better_stays(tmp_path: Path, present: Failure, other: Failure) -> None:
    assert present.fingerprint == other.fingerprint
    file = write_failure(tmp_path, present)
    assert write_failure(tmp_path, other) == file
    assert read_failure(file) == present


REPLACED: dict[str, tuple[Failure, Failure]] = {
    "by a smaller one: few rows for a seed's many": (LARGE, SMALL),
    "by a smaller one: rows": (MANY_ROWS, SMALL),
    "by a smaller one: operators": (LONGER, SMALL),
    "by a confirmed one as small": (SMALL, SMALL_CONFIRMED),
    "by the same after stock Spark was asked": (SMALL, replace(SMALL, stock=Stock("confirmed"))),
    "by a confirmed one": (SMALL, replace(MANY_ROWS, confirmed=True)),
    "a confirmed one by a smaller confirmed one": (replace(MANY_ROWS, confirmed=True), SMALL_CONFIRMED),
}


@pytest.mark.parametrize(("present", "better"), REPLACED.values(), ids=REPLACED)
def test_what_is_worse_is_replaced(tmp_path: Path, present: Failure, better: Failure) -> None:
    assert present.fingerprint == better.fingerprint
    file = write_failure(tmp_path, present)
    assert write_failure(tmp_path, better) == file
    assert read_failure(file) == better


def test_a_broken_file_is_replaced(tmp_path: Path) -> None:
    failure_path(tmp_path, SMALL).write_text("half of", encoding="utf-8")
    assert read_failure(write_failure(tmp_path, SMALL)) == SMALL


def test_different_findings_lie_beside_each_other(tmp_path: Path) -> None:
    files = {write_failure(tmp_path, finding) for finding in (SMALL, failure(rules=("Other",)))}
    assert files == set(tmp_path.iterdir())
    assert len(files) == 2


def test_a_failure_that_became_another_is_removed(tmp_path: Path) -> None:
    write_failure(tmp_path, SMALL)
    discard_failure(tmp_path, SMALL)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("present", [SMALL_CONFIRMED, MANY_ROWS], ids=["confirmed", "bigger"])
def test_what_someone_else_wrote_under_its_name_stays(tmp_path: Path, present: Failure) -> None:
    file = write_failure(tmp_path, present)
    discard_failure(tmp_path, SMALL)
    assert read_failure(file) == present


@pytest.mark.parametrize("name", ["other.json", f"{SMALL.fingerprint}.json"], ids=["no file", "a broken file"])
def test_there_may_be_nothing_to_remove(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("half of", encoding="utf-8")
    discard_failure(tmp_path, SMALL)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_script_lies_beside_its_failure_and_goes_with_it(tmp_path: Path) -> None:
    file = write_failure(tmp_path, SMALL, "print(1)")
    assert script_path(file).read_text(encoding="utf-8") == "print(1)"
    discard_failure(tmp_path, SMALL)
    assert list(tmp_path.iterdir()) == []


def test_a_script_is_replaced_with_its_failure_alone(tmp_path: Path) -> None:
    file = write_failure(tmp_path, SMALL, "small")
    write_failure(tmp_path, MANY_ROWS, "big")
    assert script_path(file).read_text(encoding="utf-8") == "small"
    write_failure(tmp_path, SMALL_CONFIRMED, "confirmed")
    assert script_path(file).read_text(encoding="utf-8") == "confirmed"


def test_a_failure_without_a_script_leaves_none_of_another(tmp_path: Path) -> None:
    file = write_failure(tmp_path, MANY_ROWS, "big")
    write_failure(tmp_path, SMALL)
    assert not script_path(file).exists()
