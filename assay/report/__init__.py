"""One self-contained HTML page about campaigns: findings, coverage and throughput."""
