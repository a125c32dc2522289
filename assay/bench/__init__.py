"""Benchmark of a check: compares the fast path, the plain path and a naive harness, in turn, within one run.

A harness here is a process of its own that draws cases from a seed, checks them and judges the answers: same seed, same
cases. There are three:

- **naive**: what one writes first. One SparkSession with nothing set but ``spark.master``; for each check a
  ``createDataFrame`` of every table, for each leg ``spark.sql`` and ``collect`` under that leg's settings, and a fresh
  connection to DuckDB. Two settings that an answer depends on (time zone, size of NULL) and the validation of plans are
  those of Assay. It has no evidence of which rules fired: it is told which ones to turn off, which is to its favour.
- **plain**: Assay's path over files, in jobs.
- **fast**: Assay's path over tables in memory, in the driver, with all that guards it.

All three draw the same way, with Hypothesis, and put their legs' answers to the same verdict: drawing and judging
count in each. The naive one needs a session without Assay's own SparkContext, extension and settings, and a JVM has
but one SparkContext: so each harness has a JVM, and works only while the others wait.
"""
