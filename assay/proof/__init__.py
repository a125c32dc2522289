"""Proof: two optimized plans in z3, which either have the same rows over all tables of up to so many rows, or not."""
