"""``assay bench``: checks per second beside a naive harness."""

from __future__ import annotations

from typing import Any

import click

from assay.bench.options import (
    CHECKS,
    DATABASES,
    PARTS,
    ROUNDS,
    SCALES,
    SEED,
    USUAL,
    WARM_UP_SECONDS,
    BenchRequest,
    Part,
)
from assay.commands.cli import declare
from assay.options import types
from assay.options.shared import seed_option, shared_options, take_options
from assay.session.ending import BadInput
from assay.session.options import whole_number

NAIVE_MASTER = "local[*]"

_ELSEWHERE = ("--max-examples", "--rule-jar", "--extensions", "--off", "--spark-conf", "--spark-master", "--spark-home")


def parts(option: str, text: str) -> frozenset[Part]:
    """``A,B`` as parts of the bench; BadInput for a name that is none."""
    asked = [name.strip() for name in text.split(",") if name.strip()]
    if unknown := [name for name in asked if name not in PARTS]:
        raise BadInput(f"{option} {text}: there is no {unknown[0]!r}; there are {', '.join(PARTS)}")
    return frozenset(part for part in PARTS if part in asked)


def scales(option: str, text: str) -> tuple[int, ...]:
    """``ROWS,ROWS`` as numbers; BadInput for anything else."""
    return tuple(whole_number(option, each) for each in text.split(","))


_OPTIONS = [
    seed_option(str(SEED)),
    click.Option(
        ["--parts"],
        type=types.Parsed("A,B", parts),
        default=",".join(USUAL),
        show_default=True,
        help="what is measured",
    ),
    click.Option(
        ["--scale"],
        type=types.Parsed("ROWS,ROWS", scales),
        default=",".join(map(str, SCALES)),
        show_default=True,
        help="rows of the tables of the part volume",
    ),
    click.Option(["--rounds"], type=types.WHOLE, default=str(ROUNDS), show_default=True, help="rounds of each harness"),
    click.Option(["--checks"], type=types.WHOLE, default=str(CHECKS), show_default=True, help="checks of a round"),
    click.Option(
        ["--warm-up"],
        type=types.DURATION_OR_NONE,
        default=f"{WARM_UP_SECONDS:.0f}s",
        show_default=True,
        help="of each harness: 90s, 0s; 10m: as in a campaign",
    ),
    click.Option(
        ["--long-run"],
        type=types.DURATION_OR_NONE,
        default="0s",
        show_default=True,
        help="a session of the fast path: 30m, 2h",
    ),
    click.Option(["--plot"], type=types.OUT_FILE, default="bench.html", show_default=True, help="the charts' page"),
    click.Option(
        ["--naive-master"], default=NAIVE_MASTER, metavar="URL", show_default=True, help="of the naive harness"
    ),
    *shared_options(without=("--by", "--record", "--known", *_ELSEWHERE), databases=str(DATABASES)),
]


@declare(
    "bench",
    "Measure checks per second beside a naive harness, in one run and in turn.",
    _OPTIONS,
    example="tox run -e bench -- --parts paths --rounds 3",
)
def command(**given: Any) -> int:
    """Measure, print, and write what was asked for."""
    from assay.bench.main import run

    return run(request_of(**given))


def request_of(*, scale: tuple[int, ...], **given: Any) -> BenchRequest:
    """The run that the parsed options ask for."""
    options = take_options(given, max_examples=CHECKS)
    return BenchRequest(options=options, scales=scale, **given)
