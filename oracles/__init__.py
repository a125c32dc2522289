"""How an answer is had and judged."""
