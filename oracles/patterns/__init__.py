"""Queries as data: their features, the patterns of known divergences, and what a release does not support."""
