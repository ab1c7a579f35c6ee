-- A proposal may be put off until a time (milliseconds since 1970, UTC).
ALTER TABLE dream_insights ADD COLUMN snoozed_until INTEGER;

-- 1: it only holds what an agent proposed itself.
ALTER TABLE dream_jobs ADD COLUMN by_agent INTEGER NOT NULL DEFAULT 0;

-- What a reader has read of each memory: the kinds of findings that it was read for, one bit each, and a digest of what it said then.
CREATE TABLE dream_read (
  memory_id INTEGER NOT NULL PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  account   INTEGER NOT NULL,
  kinds     INTEGER NOT NULL,
  digest    BLOB    NOT NULL
) STRICT;
CREATE INDEX dream_read_by_account ON dream_read (account, memory_id);

-- `rem` proposes links that lead nowhere now; what it proposed before is what `connect` proposes.
UPDATE dream_insights SET strategy = 'connect' WHERE strategy = 'rem';
