"""The rules under test: what is known of each, how it goes off, and the evidence that it fired."""
