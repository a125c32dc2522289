"""The command line: one module for each command, each option declared once."""
