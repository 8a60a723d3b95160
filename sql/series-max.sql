SELECT max(id) FROM series;
