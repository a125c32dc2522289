"""Reports of a campaign for a CI system: the job's summary in Markdown, and JUnit's XML."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from assay.campaign.campaign_state import CampaignState
from assay.fuzz.finding_text import finding_title
from assay.fuzz.job_summary import add_to_job_summary, checks_markdown
from assay.ledger.folder import Folder
from oracles.answers.atomic import write_text
from oracles.checks.conclusion import Conclusion
from oracles.failures.failure import read_failure
from oracles.failures.text import render

# Characters that XML 1.0 can't represent.
_UNSAYABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def add_campaign_summary(
    folder: Folder, state: CampaignState, shown: Conclusion, red: Sequence[str], seconds: float
) -> None:
    """Add the run's conclusion, figures and findings to the CI job's summary page, where there is one."""
    told = [
        f"{state.checks} checks in {state.rounds} rounds and {seconds:.0f} s; {folder.path.name} covers "
        f"{len(state.reached)} rules, {len(state.pairs)} pairs, {len(state.plans)} plans.",
        *(f"Incidents: {kind} {count}." for kind, count in sorted(state.incidents.items())),
    ]
    found = list(state.findings.values())
    add_to_job_summary(checks_markdown("Campaign", shown, state.tally, found, told, red))


def junit(findings: Sequence[Mapping[str, Any]], shown: Conclusion, red: Sequence[str], seconds: float) -> str:
    """The JUnit XML: a failed test for each finding and each red line, and a passed test that holds the conclusion."""
    failures = [(each["fingerprint"], finding_title(each), _told(each)) for each in findings]
    failures += [(line.removeprefix("red: ").partition(":")[0], line, line) for line in red]
    suite = ElementTree.Element("testsuite", name="nightly", tests=str(len(failures) + 1), failures=str(len(failures)))
    checks = ElementTree.SubElement(suite, "testcase", classname="nightly", name="checks", time=f"{seconds:.1f}")
    ElementTree.SubElement(checks, "system-out").text = _sayable(shown.sentence)
    for name, message, text in failures:
        case = ElementTree.SubElement(suite, "testcase", classname="nightly", name=_sayable(name))
        ElementTree.SubElement(case, "failure", message=_sayable(message)).text = _sayable(text)
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    return ElementTree.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


def write_junit(
    path: Path, findings: Sequence[Mapping[str, Any]], shown: Conclusion, red: Sequence[str], seconds: float
) -> None:
    """Write the JUnit XML to ``path``."""
    write_text(path, junit(findings, shown, red, seconds))


def _told(finding: Mapping[str, Any]) -> str:
    file = Path(str(finding["file"]))
    return render(read_failure(file), file, {}) if file.is_file() else finding_title(finding)


def _sayable(text: str) -> str:
    return _UNSAYABLE.sub("\ufffd", text)
