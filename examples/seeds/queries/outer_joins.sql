SELECT * FROM person FULL OUTER JOIN record ON id = no WHERE person.age >= 9 AND record.age >= 20;
SELECT * FROM person LEFT OUTER JOIN record ON id = no WHERE record.age >= 20;
SELECT * FROM person RIGHT OUTER JOIN record ON id = no WHERE person.age >= 9;
SELECT * FROM person FULL OUTER JOIN record ON id = no WHERE person.age >= 9;
SELECT * FROM person FULL OUTER JOIN record ON id = no WHERE record.age >= 20;
