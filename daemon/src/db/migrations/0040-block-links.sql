-- References of Logseq to a block, `((uuid))`, are links of the form 'block', and the ids of a note's blocks (`id:: uuid`) names of the kind
-- 'block' (decision 0065). A CHECK cannot be changed: both tables are made anew, as 0035 has them.
CREATE TABLE new_names (
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL,
  name         TEXT    NOT NULL,
  memory_id    INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  kind         TEXT    NOT NULL CHECK (kind IN ('file', 'alias', 'title', 'block')),
  PRIMARY KEY (account, namespace_id, name, memory_id)
) STRICT, WITHOUT ROWID;
INSERT INTO new_names (account, namespace_id, name, memory_id, kind)
  SELECT account, namespace_id, name, memory_id, kind FROM note_names;
DROP TABLE note_names;
ALTER TABLE new_names RENAME TO note_names;
CREATE INDEX note_names_by_memory ON note_names (memory_id, account);

CREATE TABLE new_links (
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL,
  memory_id    INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  position     INTEGER NOT NULL,
  name         TEXT    NOT NULL,
  form         TEXT    NOT NULL CHECK (form IN ('wiki', 'markdown', 'block')),
  target       TEXT    NOT NULL,
  part         TEXT    NOT NULL,
  text         TEXT    NOT NULL,
  "start"      INTEGER NOT NULL,
  "end"        INTEGER NOT NULL,
  PRIMARY KEY (memory_id, position)
) STRICT, WITHOUT ROWID;
INSERT INTO new_links (account, namespace_id, memory_id, position, name, form, target, part, text, "start", "end")
  SELECT account, namespace_id, memory_id, position, name, form, target, part, text, "start", "end" FROM note_links;
DROP TABLE note_links;
ALTER TABLE new_links RENAME TO note_links;
CREATE INDEX note_links_by_name ON note_links (account, namespace_id, name, memory_id);

-- Memories of before, up to this id, are read again in the background, the newest first.
INSERT OR REPLACE INTO meta (name, value) SELECT 'links_unread', max(id) FROM memories HAVING count(*) > 0;
