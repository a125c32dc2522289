"""SQLite's SQL for the part of the query algebra that it can say."""
