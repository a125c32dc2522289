"""A Spark session and its JVM, and one leg of a check on it."""
