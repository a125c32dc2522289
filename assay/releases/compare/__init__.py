"""The same queries on two releases of Spark: whose answers differ, and which rules take part."""
