"""The catalogue's data about each rule of Spark: an entry each."""
