"""The basis of every run: its options, its Spark session with the rules that it loads, and its exit code."""
