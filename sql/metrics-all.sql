SELECT id, name, unit, quantity, direction FROM metric ORDER BY id;
