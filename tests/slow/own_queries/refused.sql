SET spark.sql.ansi.enabled = true;
SELECT shape FROM events;
EXPLAIN SELECT 1;
SELEKT 1;
