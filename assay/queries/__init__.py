"""Check the queries of a user, unchanged, over drawn tables of the user's schema or over the user's own rows."""
