"""The rules that a change of Scala files touches: those whose lines it changes; all of a file if a helper changes."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from assay.commands.cli import main
from assay.session.ending import BadInput, Exit
from assay.session.touched_rules import Touched, rules_at, touched_by

SOURCE = """\
package org.apache.spark

import org.apache.spark.sql.catalyst.rules.Rule

/** The first. */
object First extends Rule[LogicalPlan] {
  def apply(plan: LogicalPlan) = plan
}

object Helper {
  val most = 3
}

/** The second,
 *  in two lines. */
case class Second(session: SparkSession)
    extends Rule[LogicalPlan] with PredicateHelper {
  def apply(plan: LogicalPlan) = Helper.most
}
"""


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(SOURCE.splitlines(), 1) if text in line)


@pytest.mark.parametrize(
    ("changed", "rules"),
    [
        (["def apply(plan: LogicalPlan) = plan"], ["First"]),
        (["object First"], ["First"]),
        (["Helper.most"], ["Second"]),
        (["extends Rule[LogicalPlan] with"], ["Second"]),
        (["= plan", "Helper.most"], ["First", "Second"]),
        (["val most"], ["First", "Second"]),
        (["import org"], []),
        (["The first."], []),
        (["in two lines"], []),
        ([], []),
    ],
    ids=[
        "a body",
        "a head",
        "the other body",
        "a head of two lines",
        "both",
        "a helper",
        "an import",
        "a comment",
        "a comment of two lines",
        "nothing",
    ],
)
def test_a_change_touches_the_rules_whose_lines_it_has(changed: list[str], rules: list[str]) -> None:
    assert rules_at(SOURCE, [line_of(text) for text in changed]) == rules


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository with the source, and with a test of the same content."""
    for folder in ("sql/main", "sql/src/test"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "Rules.scala").write_text(SOURCE)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one")
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


def edit(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file / "Rules.scala"
    path.write_text(path.read_text().replace(old, new))


EDITS = {
    "nothing": ([], []),
    "a line that is new": ([("sql/main", "= plan\n", "= {\n    plan\n  }\n")], ["First"]),
    "a line that went": ([("sql/main", "  def apply(plan: LogicalPlan) = Helper.most\n", "")], ["Second"]),
    "a test": ([("sql/src/test", "= plan", "= null")], []),
    "a comment": ([("sql/main", "The first.", "Another.")], []),
}


@pytest.mark.parametrize(("edits", "rules"), EDITS.values(), ids=EDITS)
@pytest.mark.parametrize("below", [".", "sql"])
def test_a_work_tree_is_compared_with_a_revision(
    checkout: Path, edits: list[tuple[str, str, str]], rules: list[str], below: str
) -> None:
    for each in edits:
        edit(checkout, *each)
    assert touched_by(checkout / below, "HEAD") == Touched(tuple(rules))


def test_a_file_that_is_gone_has_no_rules(checkout: Path) -> None:
    (checkout / "sql/main/Rules.scala").unlink()
    assert touched_by(checkout, "HEAD") == Touched((), ("sql/main/Rules.scala",))


def test_a_changed_file_without_rules_is_told(checkout: Path) -> None:
    helper = checkout / "sql/main/Helpers.scala"
    helper.write_text("object Other {\n  val most = 3 // -- a/b\n}\n")
    git(checkout, "add", ".")
    assert touched_by(checkout, "HEAD") == Touched((), ("sql/main/Helpers.scala",))
    edit(checkout, "sql/main", "= plan", "= null")
    touched = touched_by(checkout, "HEAD")
    assert touched == Touched(("First",), ("sql/main/Helpers.scala",))
    assert touched.note() == (
        "changed, but no rule is in it (name those that use it with --rule): sql/main/Helpers.scala"
    )
    helper.write_text("// nothing\n")
    assert touched_by(checkout, "HEAD") == Touched(("First",))


def test_lines_of_a_file_that_look_like_heads_are_lines(checkout: Path) -> None:
    edit(checkout, "sql/main", "= plan", '= """\n++ b/one\n-- a/two\n"""')
    git(checkout, "add", ".")
    git(checkout, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "two")
    edit(checkout, "sql/main", "++ b/one\n-- a/two\n", "++ c/one\n")
    assert touched_by(checkout, "HEAD") == Touched(("First",))


def test_a_change_without_rules_is_refused_before_spark_starts(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(checkout, "sql/src/test", "= plan", "= null")
    monkeypatch.chdir(checkout)
    monkeypatch.delenv("TOX_ENV_NAME", raising=False)
    assert main(["check-rule", "--since", "HEAD"]) == Exit.BAD_INPUT
    assert capsys.readouterr().err == "--since HEAD: the change touches no rule\n"


def test_what_git_refuses_is_told_in_one_line(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(BadInput, match=r"^--since nowhere: .*nowhere") as unknown:
        touched_by(checkout, "nowhere")
    with pytest.raises(BadInput, match=r"^--since HEAD: ") as outside:
        touched_by(tmp_path_factory.mktemp("outside"), "HEAD")
    assert [len(str(each.value).splitlines()) for each in (unknown, outside)] == [1, 1]
