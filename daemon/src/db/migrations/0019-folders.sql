-- Folders whose files are memories. `path` is absolute, with links resolved.
CREATE TABLE folders (
  id             TEXT    PRIMARY KEY,
  account        INTEGER NOT NULL,
  path           TEXT    NOT NULL,
  namespace      TEXT    NOT NULL,
  format         TEXT    NOT NULL,
  prune          INTEGER NOT NULL CHECK (prune IN (0, 1)),
  sync           TEXT    NOT NULL CHECK (sync IN ('in', 'both')),
  created_at     INTEGER NOT NULL,
  last_change_at INTEGER
) STRICT;
CREATE INDEX folders_by_account ON folders (account);

-- Where file and memory agreed last: the hash of what the file said then, and the version of the memory. `path` is relative to the folder; of a
-- format that holds many memories it is the file's or the source's name.
CREATE TABLE folder_sources (
  folder    TEXT    NOT NULL REFERENCES folders (id) ON DELETE CASCADE,
  path      TEXT    NOT NULL,
  source_id TEXT    NOT NULL,
  key       TEXT    NOT NULL,
  hash      TEXT    NOT NULL,
  memory_id INTEGER NOT NULL,
  version   INTEGER NOT NULL,
  PRIMARY KEY (folder, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX folder_sources_by_key ON folder_sources (folder, key);
