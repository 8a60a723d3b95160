INSERT INTO metric (id, suite, name, unit, quantity, direction)
VALUES ((SELECT coalesce(max(id), 0) + 1 FROM metric), ?1, ?2, ?3, ?4, ?5) RETURNING id;
