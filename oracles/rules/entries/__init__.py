"""What is known of each rule of Spark: an entry each."""
