"""Large tables: the same hazards in millions of rows, and answers that are compared without being collected.

Each leg's answer lies in files or in DuckDB's own tables; DuckDB counts whole rows of all of them at once, out of core.
"""
