SELECT * FROM except_left EXCEPT SELECT * FROM except_right;
SELECT * FROM except_left WHERE length(name) > 3 EXCEPT SELECT * FROM except_left WHERE id > 0;
SELECT * FROM flights WHERE try_cast(month AS INT) < 3 EXCEPT SELECT * FROM flights WHERE try_cast(month AS INT) = 12;
