"""Failure files run again, and made into regressions and known divergences."""
