"""What every run needs first: its options, its Spark session with the rules it brings, and its exit code."""
