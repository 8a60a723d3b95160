-- What is read after the lock is what the writer before has left.
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
