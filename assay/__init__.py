"""The product: the command line, fuzzing, campaigns, reports, and a user's own rules and queries."""

__version__ = "0.1.0"
