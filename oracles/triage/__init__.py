"""Triage of a finding: attribution to guilty rules, known divergences, duplicates, and the third opinion."""
