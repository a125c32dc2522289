"""Checks: run one case through all legs, judge the answers, and count the verdicts of a run with their evidence."""
