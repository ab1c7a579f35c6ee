-- What the properties of memories say (front matter, what a page of Logseq begins with, metadata), to narrow lists and searches by. It
-- follows from value and metadata alone, and is read again whenever one of them is written. `name` and `value` are folded; of a list each
-- entry is a row; `number` and `day` (its first moment in UTC, in ms since 1970) are null where a value is none.
CREATE TABLE memory_properties (
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL,
  name         TEXT    NOT NULL,
  value        TEXT    NOT NULL,
  memory_id    INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  number       REAL,
  day          INTEGER,
  PRIMARY KEY (account, namespace_id, name, value, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_properties_by_memory ON memory_properties (memory_id, account);

-- Memories of before, up to this id, are read in the background, the newest first.
INSERT INTO meta (name, value) SELECT 'properties_unread', max(id) FROM memories HAVING count(*) > 0;
