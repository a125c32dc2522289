"""Spark behind a Connect server that has nothing of ours: what can be seen and switched off there."""
