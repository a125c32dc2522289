"""Draw cases, check them, keep findings and minimize them, under supervision; and planted wrong rules."""
