SELECT * FROM orders1 t1 WHERE NOT EXISTS (SELECT 1 FROM orders2 t2 WHERE t1.order_id = t2.order_id);
