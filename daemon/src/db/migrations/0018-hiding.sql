-- What a memory says that it is hidden behind: the one of that key in its namespace which was made then. Whether it is hidden (`memories.hidden`)
-- follows from that one being there; until it is, this waits.
CREATE TABLE memory_hidings (
  memory_id         INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  account           INTEGER NOT NULL,
  hides_as          TEXT    NOT NULL CHECK (hides_as IN ('merged', 'superseded')),
  behind            TEXT    NOT NULL,
  behind_created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX memory_hidings_by_key ON memory_hidings (account, behind);

INSERT INTO memory_hidings (memory_id, account, hides_as, behind, behind_created_at)
  SELECT m.id, m.account, m.hidden, m.hidden_behind, o.created_at FROM memories m
  JOIN memories o ON o.account = m.account AND o.namespace_id = m.namespace_id AND o.key = m.hidden_behind
  WHERE m.hidden IN ('merged', 'superseded');

-- What is in the trash and was hidden.
INSERT INTO memory_hidings (memory_id, account, hides_as, behind, behind_created_at)
  SELECT m.id, m.account, t.was_hidden, m.hidden_behind, o.created_at FROM memory_trash t
  JOIN memories m ON m.id = t.memory_id
  JOIN namespaces n ON n.account = t.account AND n.name = t.namespace
  JOIN memories o ON o.account = t.account AND o.namespace_id = n.id AND o.key = m.hidden_behind
  WHERE t.was_hidden IN ('merged', 'superseded');

-- What was hidden behind something in the trash, and is shown meanwhile.
INSERT OR IGNORE INTO memory_hidings (memory_id, account, hides_as, behind, behind_created_at)
  SELECT m.id, m.account, s.value ->> '$.how.hidden', t.key, o.created_at FROM memory_trash t
  JOIN memories o ON o.id = t.memory_id
  JOIN json_each(t.showed) s
  JOIN memories m ON m.id = s.value ->> '$.id' AND m.version = s.value ->> '$.version' AND m.hidden IS NULL;
ALTER TABLE memory_trash DROP COLUMN showed;

-- Other devices were told of none of it: the next start does.
INSERT INTO meta (name, value) VALUES ('hiding', 'untold');
