-- What each part of Reverie took of its language model or of the server of its vectors, by UTC day (`2026-11-23`). It is the machine's, not
-- an account's: the owner pays for all of it. `last_at`: when the last call ended, in milliseconds since 1970.
CREATE TABLE model_spending (
  part TEXT NOT NULL CHECK (part IN ('ask', 'dreams', 'vectors')),
  day TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (part, day)
) STRICT, WITHOUT ROWID;
