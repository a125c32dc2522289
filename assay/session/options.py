"""The options that all commands share, as data, and the parsing of ``--rule``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from assay.session.ending import BadInput
from oracles.rules.points import DEFAULT_POINT, Point

Off = Literal["rule", "all", "subset"]
By = Literal["shape", "general", "both"]
DATABASES = 4
"""The number of databases that a pair of plans runs over on the fast path by default: with 4, the most mutants were
killed a minute. 126 general queries killed 44 in 81 s with one database, 57 in 103 s with four, 57 in 138 s with eight.
"""


LEG_SECONDS = 20.0
"""The time limit of a leg; a case with a slower leg gets an isolated rerun with five times the limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleRequest:
    """The value of one ``--rule``: a catalogue name, a class in a jar, or a source file (with its class).

    ``text`` asks for the same from any folder.
    """

    text: str
    name: str
    class_name: str | None = None
    source: Path | None = None
    point: str = DEFAULT_POINT


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The user's options; paths are absolute. ``seed`` is the run's own, ``max_examples`` the total of checks."""

    seed: int
    max_examples: int
    rules: tuple[RuleRequest, ...]
    rule_jars: tuple[Path, ...]
    extensions: tuple[str, ...]
    off: Off | None
    spark_conf: dict[str, str]
    spark_master: str
    spark_home: Path | None
    failures: Path
    summary_json: Path | None
    by: By
    record: Path | None = None
    known: Path | None = None
    databases: int = DATABASES


def options_to_plain(options: Options) -> dict[str, Any]:
    """``options`` as JSON has it, for another process."""
    plain = {name: str(value) if isinstance(value, Path) else value for name, value in asdict(options).items()}
    return {**plain, "rules": [rule.text for rule in options.rules], "rule_jars": list(map(str, options.rule_jars))}


def options_from_plain(data: Mapping[str, Any]) -> Options:
    """The options that :func:`options_to_plain` wrote; BadInput where a file that they name is gone."""
    paths = {
        name: Path(data[name]) for name in ("spark_home", "failures", "summary_json", "record", "known") if data[name]
    }
    lists = {"rule_jars": tuple(map(Path, data["rule_jars"])), "extensions": tuple(data["extensions"])}
    rules = tuple(parse_rule(text, Path.cwd()) for text in data["rules"])
    return Options(**{**data, **paths, **lists, "rules": rules})


# A folder's name may hold an @, too.
_REQUEST = re.compile(r"(?P<body>\S(.*?\S)?)(@(?P<point>[^@/.:]*))?")


def parse_rule(text: str, here: Path) -> RuleRequest:
    """Parse ``--rule text``; BadInput for an unknown point, a missing file, or a file without exactly one rule."""
    request = _REQUEST.fullmatch(text)
    if request is None:
        raise BadInput(f"--rule {text!r}: needs a rule, as NAME, a.b.Class[@point] or File.scala[:Class][@point]")
    body, point = request["body"], request["point"]
    if point is not None and point not in list(Point):
        raise BadInput(f"--rule {text}: no injection point {point!r}; there are {', '.join(Point)}")
    if point is not None and not Point(point).tried:
        raise BadInput(f"--rule {text}: a check changes no plan, so there is no answer to compare at this point")
    match = re.fullmatch(r"(?P<path>.+\.scala)(:(?P<name>[\w.$]+))?", body)
    if match:
        source = (here / match["path"]).absolute()
        if not source.is_file():
            raise BadInput(f"--rule: no such file: {source}")
        class_name = rule_class(source, match["name"])
        name = class_name.rsplit(".", 1)[-1]
        where = point or DEFAULT_POINT
        return RuleRequest(
            text=f"{source}:{name}@{where}", name=name, class_name=class_name, source=source, point=where
        )
    if _NO_NAME.search(body):
        raise BadInput(f"--rule {text}: {body!r} names no class, no rule and no file that ends in .scala")
    if "." in body:
        return RuleRequest(
            text=text, name=body.rsplit(".", 1)[-1], class_name=body, source=None, point=point or DEFAULT_POINT
        )
    if point:
        raise BadInput(f"--rule {text}: a point goes with a class or a file, not with a rule of Spark's")
    return RuleRequest(text=text, name=body)


_NO_NAME = re.compile(r"[\s:@/\\]|^\.|\.$|\.\.")
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)", re.MULTILINE)
_RULE = re.compile(
    r"^\s*(?:(?:case|final|sealed|private|protected)(?:\[\w+\])?\s+)*(?:object|class)\s+(\w+)"
    # No further than the next definition.
    r"(?:(?!\b(?:object|class|trait)\b)[^{])*?\bextends\s+(?:Rule\s*\[|(?:Spark)?Strategy\b|ColumnarRule\b)",
    re.MULTILINE,
)


_LOOKS = "object or class X extends Rule[...], SparkStrategy or ColumnarRule"


def rule_names(text: str) -> list[str]:
    """The rules, strategies and columnar rules that a Scala file's ``text`` defines, by name, in order."""
    return _RULE.findall(text)


def rule_class(source: Path, wanted: str | None) -> str:
    """The full name of the rule in a Scala file: the one called ``wanted``, or the only one."""
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{source}: can't be read as UTF-8 text: {error}") from error
    found = rule_names(text)
    name = wanted.rsplit(".", 1)[-1] if wanted else None
    if name is not None and name not in found:
        raise BadInput(f"{source}: no rule {name}; it has {', '.join(found) or 'none'} ({_LOOKS})")
    if not found:
        raise BadInput(f"{source}: needs one rule, has none ({_LOOKS})")
    if name is None and len(found) != 1:
        raise BadInput(f"{source}: needs one rule, has {', '.join(found)}: name one as {source.name}:Class")
    package = ".".join(_PACKAGE.findall(text))
    return f"{package}.{name or found[0]}" if package else name or found[0]


def whole_number(option: str, text: str) -> int:
    """``text`` as a whole number above 0; BadInput in the name of ``option`` for anything else."""
    if not text.isdecimal() or int(text) < 1:
        raise BadInput(f"{option} {text}: needs a whole number above 0")
    return int(text)


def parse_seed(text: str) -> int:
    """The seed of ``--hypothesis-seed``; BadInput unless it is a whole number."""
    try:
        return int(text)
    except ValueError as error:
        raise BadInput(f"--hypothesis-seed {text}: needs a whole number") from error
