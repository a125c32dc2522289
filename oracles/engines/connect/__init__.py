"""Spark behind a Spark Connect server without Assay's jar: an engine with fewer switches and less evidence."""
