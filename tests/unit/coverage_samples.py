"""Options of a coverage run as the command line would give them."""

from __future__ import annotations

from pathlib import Path

from assay.session.options import Options


def options() -> Options:
    """Three cases of seed 1, no named rules."""
    return Options(
        seed=1,
        max_examples=3,
        rules=(),
        rule_jars=(),
        extensions=(),
        off=None,
        spark_conf={},
        spark_master="local[1]",
        spark_home=None,
        failures=Path("failures"),
        summary_json=None,
        by="both",
    )
