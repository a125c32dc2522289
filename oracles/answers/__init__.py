"""Answers as data: outcomes, rows as typed multisets, and what any limit may give."""
