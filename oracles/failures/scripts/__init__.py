"""A finding as a script that needs neither Assay nor its jar, and what it shows on stock Spark."""
