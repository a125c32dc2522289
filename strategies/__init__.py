"""What is asked: the query algebra and the Hypothesis strategies that draw from it."""
