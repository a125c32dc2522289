"""Bounded verification: all small queries on which a rule fires, over all small databases."""
