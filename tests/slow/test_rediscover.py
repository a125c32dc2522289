"""``assay rediscover`` as its user runs it: the witnesses of all known bugs, on a session of its own."""

from __future__ import annotations

import json
import sys

from assay.releases.rediscover.tickets import load
from tests.cli.assay import run


def test_every_ticket_stands_as_its_record_says(tmp_path):
    ended = run([sys.executable, "-m", "assay", "rediscover", "--summary-json", "r.json"], tmp_path)
    assert ended.code == 0, ended.text
    told = json.loads((tmp_path / "r.json").read_text())
    benchmark = load()
    assert list(told["tickets"]) == [ticket.id for ticket in benchmark.tickets]
    found = [name for name, each in told["tickets"].items() if each["standing"] == "found"]
    assert found == [ticket.id for ticket in benchmark.tickets if told["spark"] in ticket.found]
    assert f"found: {len(found)}" in ended.text
