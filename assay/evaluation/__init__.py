"""The evaluation of one rule that a user brings: convicted, acquitted, or thin evidence."""
