"""Which basic blocks of the optimizer's rules the drawn cases run, and which lines they never run."""
