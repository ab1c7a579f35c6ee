-- What an imported memory was made from, under the address that the import gave it: it stays known when the memory is renamed here. `vanished` is 1
-- since the source was gone, so that what it brings again is not taken for deleted here.
CREATE TABLE import_sources_by_address (
  account   INTEGER NOT NULL,
  source_id TEXT    NOT NULL,
  namespace TEXT    NOT NULL,
  key       TEXT    NOT NULL,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  hash      TEXT    NOT NULL,
  version   INTEGER NOT NULL,
  vanished  INTEGER NOT NULL CHECK (vanished IN (0, 1)),
  PRIMARY KEY (account, source_id, namespace, key)
) STRICT, WITHOUT ROWID;
-- Those in the trash first: where their key was imported again since, that one stays known.
INSERT OR REPLACE INTO import_sources_by_address (account, source_id, namespace, key, memory_id, hash, version, vanished)
  SELECT s.account, s.source_id, t.namespace, t.key, s.memory_id, s.hash, s.version, 0
  FROM import_sources s JOIN memory_trash t ON t.memory_id = s.memory_id ORDER BY t.trashed_at;
INSERT OR REPLACE INTO import_sources_by_address (account, source_id, namespace, key, memory_id, hash, version, vanished)
  SELECT s.account, s.source_id, n.name, m.key, s.memory_id, s.hash, s.version, 0
  FROM import_sources s JOIN memories m ON m.id = s.memory_id JOIN namespaces n ON n.id = m.namespace_id
  WHERE s.memory_id NOT IN (SELECT memory_id FROM memory_trash);
DROP TABLE import_sources;
ALTER TABLE import_sources_by_address RENAME TO import_sources;
CREATE INDEX import_sources_by_memory ON import_sources (memory_id, account);

-- What was imported here and then deleted for good, so that its source does not bring it again: a SHA-256, of which nothing can be read.
CREATE TABLE deleted_imports (
  account INTEGER NOT NULL,
  address BLOB    NOT NULL,
  PRIMARY KEY (account, address)
) STRICT, WITHOUT ROWID;
