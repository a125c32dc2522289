"""One self-contained page of campaigns: what was found, what was covered, how it went."""
