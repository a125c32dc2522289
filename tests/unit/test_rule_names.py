"""Names of rules, before Spark starts: what no class of Spark's is called is refused, all else is left to Spark."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from assay.commands.cli import main
from assay.session.ending import BadInput, Exit
from assay.session.rule_names import require_rules
from tests.unit.command_lines import shared

OPTIMIZER = "org/apache/spark/sql/catalyst/optimizer"


@pytest.fixture
def spark(tmp_path: Path) -> Path:
    """A Spark of a release to come, whose jars have three classes."""
    jars = tmp_path / "spark" / "jars"
    jars.mkdir(parents=True)
    for name, entry in {
        "spark-catalyst_2.13-4.9.0": f"{OPTIMIZER}/CombineFilters2$.class",
        "spark-sql_2.13-4.9.0": "org/apache/spark/sql/execution/Planner$RunsLater.class",
        "delta-spark_2.13-9": "io/delta/Theirs.class",
    }.items():
        with ZipFile(jars / f"{name}.jar", "w") as archive:
            archive.writestr(entry, b"")
    (jars / "broken.jar").write_bytes(b"no archive")
    return tmp_path / "spark"


@pytest.mark.parametrize(
    "name", ["CombineFilters2", "Planner$RunsLater", "Theirs", "CombineFilters", "io.delta.Theirs"]
)
def test_what_may_be_a_rule_is_left_to_spark(spark: Path, name: str) -> None:
    require_rules(shared("--spark-home", str(spark), "--rule", name))


def test_what_no_class_is_called_is_no_rule(spark: Path) -> None:
    with pytest.raises(BadInput, match=r"^--rule CombineFilter2: no rule called .* in Spark 4\.9\.0; it has Combine"):
        require_rules(shared("--spark-home", str(spark), "--rule", "CombineFilter2"))


def test_a_class_that_no_jar_has_is_refused(spark: Path) -> None:
    with pytest.raises(BadInput, match=r"^--rule org\.me\.Nope: no such class org\.me\.Nope .* named with --rule-jar$"):
        require_rules(shared("--spark-home", str(spark), "--rule", "org.me.Nope"))


@pytest.mark.parametrize("entry", ["org/me/Mine.class", "org/me/Mine$.class"], ids=["class", "object"])
def test_a_class_of_a_rules_jar_is_left_to_spark(spark: Path, tmp_path: Path, entry: str) -> None:
    with ZipFile(tmp_path / "mine.jar", "w") as archive:
        archive.writestr(entry, b"")
    require_rules(shared("--spark-home", str(spark), "--rule", "org.me.Mine", "--rule-jar", str(tmp_path / "mine.jar")))


def test_a_class_of_java_is_left_to_spark(spark: Path) -> None:
    require_rules(shared("--spark-home", str(spark), "--rule", "java.lang.String"))


def test_a_class_is_left_to_spark_where_settings_name_jars(spark: Path) -> None:
    conf = ("--spark-conf", "spark.driver.extraClassPath=/opt/mine.jar")
    require_rules(shared("--spark-home", str(spark), "--rule", "org.me.Mine", *conf))


def test_a_planted_rule_has_a_name_too(spark: Path) -> None:
    require_rules(shared("--spark-home", str(spark), "--rule", "Planted"), ["Planted"])


@pytest.mark.parametrize(
    "bringing",
    [("--extensions", "com.acme.E"), ("--spark-conf", "spark.sql.extensions=com.acme.E"), ("--rule-jar", "{jar}")],
    ids=lambda bringing: bringing[0],
)
def test_where_others_bring_rules_spark_is_asked(spark: Path, bringing: tuple[str, str]) -> None:
    option, value = bringing
    value = value.format(jar=spark / "jars" / "broken.jar")
    require_rules(shared("--spark-home", str(spark), "--rule", "Brought", option, value))


def test_a_sparks_own_settings_may_bring_rules(spark: Path) -> None:
    (spark / "conf").mkdir()
    (spark / "conf" / "spark-defaults.conf").write_text("spark.sql.extensions com.acme.E\n")
    require_rules(shared("--spark-home", str(spark), "--rule", "Brought"))


@pytest.mark.parametrize("command", ["coverage", "volume", "check-rule", "verify", "inversions"])
@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (("NoSuchRule",), "--rule NoSuchRule: no rule called 'NoSuchRule' in Spark "),
        (("CombineFilters", "CombineFilters"), "--rule: CombineFilters stands twice"),
    ],
    ids=["unknown", "twice"],
)
def test_each_command_refuses_a_rule_that_there_can_not_be(capsys, command, rules, said) -> None:
    assert main([command, *(f"--rule={rule}" for rule in rules)]) == Exit.BAD_INPUT
    told = capsys.readouterr()
    assert [line.startswith(said) for line in told.err.splitlines()] == [True], told
