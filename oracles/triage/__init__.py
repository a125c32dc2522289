"""Triage of a finding: guilty rules, known divergences, duplicates, and the third opinion."""
