SELECT id, spent, since, spent * 2 AS twice FROM events WHERE spent > INTERVAL '1' SECOND;
SELECT id, payload, payload:p::int AS p FROM events WHERE id > 0;
SELECT label, count(*) AS n FROM events WHERE label = 'AB' GROUP BY label;
SELECT max(day) - min(day) AS span FROM orders WHERE day < DATE '2100-01-01';
SELECT CAST(parse_json('{"b": 1, "a": 2}') AS STRING) AS v, id FROM orders WHERE id > 0;
SELECT current_user() AS u, version() AS v, id FROM orders WHERE id > 0;
SELECT make_interval(0, 1, 0, 2) AS i, id FROM orders WHERE id > 0;
SELECT * FROM (SELECT customer, note, id FROM orders) PIVOT (count(id) FOR note IN ('a' AS a, 'b' AS b));
SELECT id, opens FROM events WHERE opens > TIME '10:00:00';
