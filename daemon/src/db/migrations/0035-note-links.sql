-- The names to which a note answers and the links that it has (decision 0065), kept in the transaction that writes it; those of notes that
-- nobody sees are taken out. Where a link leads is found when it is asked for, so that a note that comes later is found, too.

-- `name` is folded; a note has each name once.
CREATE TABLE note_names (
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL,
  name         TEXT    NOT NULL,
  memory_id    INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  kind         TEXT    NOT NULL CHECK (kind IN ('file', 'alias', 'title')),
  PRIMARY KEY (account, namespace_id, name, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_names_by_memory ON note_names (memory_id, account);

-- What a note names, each once, in the order of the text: `name` is the last part of the path, folded; the link stands from `start` to `end`.
CREATE TABLE note_links (
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL,
  memory_id    INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  position     INTEGER NOT NULL,
  name         TEXT    NOT NULL,
  form         TEXT    NOT NULL CHECK (form IN ('wiki', 'markdown')),
  target       TEXT    NOT NULL,
  part         TEXT    NOT NULL,
  text         TEXT    NOT NULL,
  "start"      INTEGER NOT NULL,
  "end"        INTEGER NOT NULL,
  PRIMARY KEY (memory_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX note_links_by_name ON note_links (account, namespace_id, name, memory_id);

-- Memories of before, up to this id, are read in the background, the newest first.
INSERT INTO meta (name, value) SELECT 'links_unread', max(id) FROM memories HAVING count(*) > 0;
