"""The names of ``--rule``, before Spark starts: what can't be a rule of it is said at once."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from assay.session.ending import BadInput
from assay.session.options import Options
from jars.build import Compiler, find_spark_jars
from oracles.rules.catalogue import in_release, short_name
from oracles.rules.entries.known import KNOWN

_ELSEWHERE = ("assay.", "org.apache.spark.sql.assay.", "java.")
"""Packages that are in none of the jars that are looked through: of Assay, and of Java."""
_OPTIMIZER = "org/apache/spark/sql/catalyst/optimizer/"


def require_rules(options: Options, planted: Iterable[str] = ()) -> None:
    """BadInput where two rules have one name, or where no class of Spark's has a rule's.

    A class of that name need be no rule of the optimizer: that Spark alone knows, as it does where extensions bring
    rules. ``planted`` are the names of rules that the run plants itself.

    :raises jars.build.BuildError: there is no Spark.
    """
    names = [rule.name for rule in options.rules]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BadInput(f"--rule: {', '.join(twice)} stands twice; rules are told apart by their classes' names")
    _require_classes(options)
    if _brings_rules(options):
        return
    folder = find_spark_jars(options.spark_home)
    known = {name for rule in KNOWN for name in (rule.name, short_name(rule.rule_name))}
    unsure = {rule.name for rule in options.rules if rule.class_name is None} - known - set(planted)
    if not unsure:
        return
    # Rules of Spark's own are in jars of its own: the others are opened for a name that they haven't got.
    own = sorted(folder.glob("spark-*.jar"))
    for jar in (*own, *sorted(set(folder.glob("*.jar")) - set(own))):
        unsure -= {_class_of(entry) for entry in _entries(jar)}
        if not unsure:
            return
    raise BadInput("\n".join(_unknown(name, folder) for name in sorted(unsure)))


def _require_classes(options: Options) -> None:
    """BadInput where a class is named that is in none of the jars of Spark's and ``--rule-jar``.

    It is left to Spark where the class path has more than these jars: what is compiled, or what settings name.
    """
    if any(rule.source for rule in options.rules) or _adds_to_class_path(options):
        return
    asked = {rule.class_name: rule for rule in options.rules if rule.class_name}
    missing = {name for name in asked if not name.startswith(_ELSEWHERE)}
    if not missing:
        return
    for jar in (*options.rule_jars, *sorted(find_spark_jars(options.spark_home).glob("*.jar"))):
        missing -= {entry.removesuffix(".class").rstrip("$").replace("/", ".") for entry in _entries(jar)}
        if not missing:
            return
    raise BadInput(
        "\n".join(
            f"--rule {asked[name].text}: no such class {name} in Spark's jars or those of --rule-jar; "
            "a jar is named with --rule-jar"
            for name in sorted(missing)
        )
    )


def _adds_to_class_path(options: Options) -> bool:
    settings = any("jars" in key or "ClassPath" in key for key in options.spark_conf)
    return settings or _has_defaults(options) or "SPARK_DIST_CLASSPATH" in os.environ


def _brings_rules(options: Options) -> bool:
    """Whether other rules than Spark's may be in the session, under names that no class says."""
    conf = options.spark_conf
    return bool(options.extensions or options.rule_jars or "spark.sql.extensions" in conf or _has_defaults(options))


def _has_defaults(options: Options) -> bool:
    """Whether Spark has settings of its own."""
    home = options.spark_home
    folders = [os.environ.get("SPARK_CONF_DIR"), home and home / "conf"]
    return any(folder and (Path(folder) / "spark-defaults.conf").is_file() for folder in folders)


def _unknown(name: str, folder: Path) -> str:
    release = Compiler(Path(), folder).release
    rules = {rule.name for rule in KNOWN if in_release(rule, release)}
    (catalyst,) = folder.glob("spark-catalyst_*.jar")
    classes = {_class_of(entry) for entry in _entries(catalyst) if entry.startswith(_OPTIMIZER)}
    close = get_close_matches(name, rules | classes) or sorted(rules)[:3]
    return f"--rule {name}: no rule called {name!r} in Spark {release}; it has {', '.join(close)}, ..."


def _entries(jar: Path) -> Iterator[str]:
    try:
        with ZipFile(jar) as archive:
            yield from archive.namelist()
    except (OSError, BadZipFile):
        return


def _class_of(entry: str) -> str:
    """``Optimizer$FinishAnalysis`` for ``org/…/Optimizer$FinishAnalysis$.class``, as the rule's short name is."""
    return entry.rpartition("/")[2].removesuffix(".class").rstrip("$")
