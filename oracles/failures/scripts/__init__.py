"""Scripts that show a finding without Assay or its jar, and their results on stock Spark."""
