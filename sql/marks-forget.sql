DELETE FROM property WHERE name >= 'fetched:' AND name < 'fetched;';
