-- The tables that the articles on EXCEPT ALL, EliminateOuterJoin and the Except operator have.
CREATE TABLE orders1 (order_id BIGINT, user_id STRING);
CREATE TABLE orders2 (order_id BIGINT, user_id STRING);
CREATE TABLE person (id STRING, age INT);
CREATE TABLE record (no STRING, age INT);
CREATE TABLE except_left (id INT, name STRING, triple STRING);
CREATE TABLE except_right (id INT, name STRING, triple STRING);
CREATE TABLE flights (month STRING, carrier STRING);
