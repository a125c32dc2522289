-- Every form of statement that a schema file may have.
CREATE DATABASE IF NOT EXISTS shop;
USE shop;
CREATE TABLE shop.orders (id INT NOT NULL, customer INT, day DATE, placed TIMESTAMP_NTZ, total DECIMAL(12, 2), note STRING);
CREATE TABLE shop.items (order_id INT, line SMALLINT, sku VARCHAR(2), price DOUBLE, tags ARRAY<STRING>, quantity BIGINT);
CREATE TABLE customers (id INT, name STRING, code CHAR(3), rate FLOAT, level TINYINT, address STRUCT<city: STRING, zip: INT>)
  USING parquet PARTITIONED BY (country STRING);
INSERT INTO customers (id, name, code, country) VALUES (1, 'a', 'x', 'de'), (2, NULL, 'xyz', 'fr'), (1 + 2, 'b', NULL, NULL);
CREATE TABLE prices (sku STRING, by_day MAP<STRING, INT>, wide DECIMAL(38, 10), known BOOLEAN, raw BINARY);
CREATE TABLE events (
  id INT, spent INTERVAL DAY TO SECOND, since INTERVAL YEAR TO MONTH, payload VARIANT, label STRING COLLATE UTF8_LCASE,
  shape HYPERTYPE, score DOUBLE, opens TIME(3)
);
CREATE OR REPLACE TEMPORARY VIEW levels(level, title) AS VALUES (1, 'low'), (2, 'high'), (2, NULL);
CREATE VIEW recent AS SELECT id, customer, total FROM shop.orders WHERE day > DATE '2000-01-01';
CREATE TABLE totals USING parquet AS SELECT customer, count(*) AS orders, sum(total) AS total FROM recent GROUP BY customer;
