-- Facts are what stands in the structure of a note (decision 0063): a property, a cell of a table, a `key: value` line, a field of its
-- metadata. They are read in the transaction that writes the note.
DROP TABLE fact_terms;
DROP TABLE facts;
DROP TABLE facts_queue;
DELETE FROM meta WHERE name = 'fact_rules';

-- `path` is a JSON list of what the fact stands under; `subject` is the last of it, else the key. `*_norm` is folded, to compare by.
CREATE TABLE facts (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL,
  memory_id    INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  path         TEXT    NOT NULL,
  subject_norm TEXT    NOT NULL,
  label        TEXT    NOT NULL,
  label_norm   TEXT    NOT NULL,
  value        TEXT    NOT NULL,
  quote        TEXT    NOT NULL,
  origin       TEXT    NOT NULL CHECK (origin IN ('property', 'table', 'line', 'metadata')),
  observed_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX facts_by_memory ON facts (memory_id, account);
CREATE INDEX facts_by_place ON facts (account, namespace_id, id);
CREATE INDEX facts_by_subject ON facts (account, namespace_id, subject_norm, label_norm, memory_id);

-- Memories of before, up to this id, are read in the background, the newest first.
INSERT INTO meta (name, value) SELECT 'facts_unread', max(id) FROM memories HAVING count(*) > 0;
