"""The product: the command line, fuzzing, campaigns, reports, and a user's own rules and queries."""
