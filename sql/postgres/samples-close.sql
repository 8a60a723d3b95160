CLOSE visit;
