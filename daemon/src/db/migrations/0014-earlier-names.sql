-- What a memory was called before it was renamed, and until which event: deleting it takes what it said out of those events, too, and out of
-- no event of another memory that is called so since.
CREATE TABLE memory_names (
  account   INTEGER NOT NULL,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  namespace TEXT    NOT NULL,
  key       TEXT    NOT NULL,
  until     INTEGER NOT NULL,
  PRIMARY KEY (memory_id, until)
) STRICT, WITHOUT ROWID;
