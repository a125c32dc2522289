"""What campaigns leave behind: one immutable file for each finished round, read with SQL."""
