"""SQLite as the third engine, with the functions and types that it lacks."""
