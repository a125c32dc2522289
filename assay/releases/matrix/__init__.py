"""Campaigns on several releases of Spark, side by side, and which of them have each finding."""
