-- A memory in the trash keeps its row, below a namespace of its own (its name begins with two control characters) and under a key that nobody can
-- ask for, so that the key that it had is free. SQLite changes no CHECK: the column is made anew.
DROP INDEX memories_hidden;
ALTER TABLE memories RENAME COLUMN hidden TO hidden_before;
ALTER TABLE memories ADD COLUMN hidden TEXT CHECK (hidden IN ('merged', 'archived', 'superseded', 'trashed'));
UPDATE memories SET hidden = hidden_before WHERE hidden_before IS NOT NULL;
ALTER TABLE memories DROP COLUMN hidden_before;
CREATE INDEX memories_hidden ON memories (account, namespace_id, hidden, hidden_behind) WHERE hidden IS NOT NULL;

-- Where a memory in the trash was, and how: `was_hidden` as `memories.hidden` then; `showed` are the memories that were hidden behind it, as JSON.
CREATE TABLE memory_trash (
  memory_id  INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  account    INTEGER NOT NULL,
  namespace  TEXT    NOT NULL,
  key        TEXT    NOT NULL,
  trashed_at INTEGER NOT NULL,
  was_hidden TEXT CHECK (was_hidden IN ('merged', 'archived', 'superseded')),
  showed     TEXT    NOT NULL
) STRICT;
CREATE INDEX memory_trash_by_key ON memory_trash (account, namespace, key, trashed_at);
CREATE INDEX memory_trash_by_account ON memory_trash (account, trashed_at);
CREATE INDEX memory_trash_by_time ON memory_trash (trashed_at, account);
