"""Spark's parser keeps a bounded number of the texts that it has seen, however long a session lasts."""

from __future__ import annotations

from importlib.metadata import version

from packaging.version import Version

LIMIT = "spark.sql.parser.parserDfaCacheFlushThreshold"
TEXTS = [f"SELECT {' + '.join('a' * n)} FROM t WHERE a IN ({n}, 2) OR NOT a BETWEEN 1 AND {n}" for n in range(1, 9)]

if Version(version("pyspark")) >= Version("4.1"):

    def test_the_parsers_states_go_where_there_are_many(harness):
        session = harness.spark.session
        states = session._jvm.org.apache.spark.sql.catalyst.parser.AbstractParser.getDFACacheNumStates
        parse, usual = session._jsparkSession.sessionState().sqlParser().parsePlan, session.conf.get(LIMIT)
        for text in TEXTS:
            parse(text)
        kept = states()
        session.conf.set(LIMIT, "1")
        try:
            parse(TEXTS[0])
        finally:
            session.conf.set(LIMIT, usual)
        assert (0 < kept <= int(usual), states() < kept) == (True, True), (kept, states())
