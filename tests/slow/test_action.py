"""The action for GitHub, its steps one by one: a wrong rule fails the job, with the verdict in its summary."""

from __future__ import annotations

import shutil

from tests.cli.action import STEPS, Job
from tests.cli.assay import RULES


def test_a_wrong_rule_fails_the_job(tmp_path):
    workspace, temporary = tmp_path / "workspace", tmp_path / "temporary"
    workspace.mkdir()
    temporary.mkdir()
    shutil.copy(RULES / "DropsFilters.scala", workspace)
    job = Job(workspace, temporary, {"rule": "DropsFilters.scala", "max-examples": "60", "seed": "3"})
    ended = dict(job.run_all(XDG_CACHE_HOME=str(tmp_path / "cache")))
    assert [each.code for each in ended.values()] == [0, 0, 1], "\n\n".join(each.text for each in ended.values())
    assert list(ended) == [step["name"] for step in STEPS]
    assert "convicted (another answer): " in ended["check the rule"].text
    assert job.output.read_text() == "exit-code=1\n"
    assert job.summary.read_text().startswith("## DropsFilters@optimizer: convicted\n")
    assert len(list((temporary / "assay-failures").glob("*.json"))) == 1
    assert sorted(path.name for path in workspace.iterdir()) == ["DropsFilters.scala"]
