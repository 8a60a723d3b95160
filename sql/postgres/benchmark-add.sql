-- Writers take their turns, so that the highest number is known; a sequence would leave holes.
INSERT INTO benchmark (id, suite, name)
VALUES ((SELECT coalesce(max(id), 0) + 1 FROM benchmark), ?1, ?2) RETURNING id;
