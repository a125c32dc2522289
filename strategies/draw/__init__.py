"""Hypothesis strategies: values, tables, expressions, queries, settings and cases."""
