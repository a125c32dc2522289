"""Several releases of Spark: a campaign on each, and the same queries on two of them."""
