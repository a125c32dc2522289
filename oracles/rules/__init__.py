"""The rules under test: a catalogue of them, switches to turn them off, and evidence that they fired."""
