SELECT customer, var_pop(CAST(total AS DOUBLE)) AS v, stddev(CAST(total AS DOUBLE)) AS s FROM orders WHERE total < 1000 GROUP BY customer;
SELECT customer, corr(CAST(total AS DOUBLE), CAST(id AS DOUBLE)) AS c FROM orders WHERE total < 1000 AND id < 1000 GROUP BY customer;
SELECT id + customer AS s, customer + id AS t, count(*) AS n FROM orders WHERE id < 100 AND customer < 100 GROUP BY id + customer, customer + id WITH CUBE;
SELECT a.id, b.id AS other FROM orders a FULL JOIN orders b ON a.id = b.id AND a.customer NOT IN (SELECT id FROM customers);
