"""Typed edits of cases: other cases in the neighbourhood of a given one, valid and as harmless as drawn ones."""
