"""Run cases on the engines, judge their answers, and triage and minimize findings."""
