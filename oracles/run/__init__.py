"""A run: its options, its hunt for findings, its record on disk, and how it ends."""
