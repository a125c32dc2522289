"""The ledger of campaigns: one immutable file for each finished round, read with SQL."""
