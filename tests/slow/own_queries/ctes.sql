WITH big AS (SELECT * FROM orders WHERE total > 1) SELECT customer, count(*) AS n FROM big GROUP BY customer;
WITH a AS (SELECT id FROM orders), b AS (SELECT id FROM a WHERE id > 0) SELECT a.id FROM a JOIN b ON a.id = b.id;
WITH t AS (SELECT customer, sum(total) AS s FROM orders GROUP BY customer) SELECT x.customer FROM t x JOIN t y ON x.s = y.s;
WITH recent_ones AS (SELECT * FROM recent) SELECT id FROM recent_ones WHERE total IS NOT NULL;
WITH x(a, b) AS (VALUES (1, 'p'), (2, 'q')) SELECT x.b, o.id FROM x LEFT JOIN orders o ON o.id = x.a;
SELECT * FROM VALUES (1, 'a'), (2, NULL) AS v(k, s) WHERE k > 1;
FROM orders SELECT id, note WHERE id > 0;
SELECT v.k, c.name FROM (VALUES (1), (3)) AS v(k) JOIN customers c ON c.id = v.k;
SELECT 1 + 1 AS two, 'a' || 'b' AS ab;
