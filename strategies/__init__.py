"""The query algebra, and the Hypothesis strategies that draw cases from it."""
