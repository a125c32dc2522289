"""A user's own queries, as they are, over the user's own tables: drawn, or as they lie in files."""
