"""A check: one case through all legs, the verdict on it, and counts of verdicts with the evidence behind them."""
