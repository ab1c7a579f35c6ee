-- Decisions about versions that lost travel to other devices, as changes of memories do (decision 0087).
CREATE TABLE sync_outbox_with_settle (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL REFERENCES sync_namespaces (id) ON DELETE CASCADE,
  kind         TEXT    NOT NULL CHECK (kind IN ('set', 'delete', 'clear', 'settle')),
  key          TEXT,
  -- What a memory says; of `settle` the name of the version that was decided about.
  content      TEXT,
  hlc          INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  send_id      INTEGER
) STRICT;
INSERT INTO sync_outbox_with_settle SELECT seq, account, namespace_id, kind, key, content, hlc, created_at, send_id FROM sync_outbox;
-- A number is never given twice.
DELETE FROM sqlite_sequence WHERE name = 'sync_outbox_with_settle';
INSERT INTO sqlite_sequence (name, seq) SELECT 'sync_outbox_with_settle', seq FROM sqlite_sequence WHERE name = 'sync_outbox';
DROP TABLE sync_outbox;
ALTER TABLE sync_outbox_with_settle RENAME TO sync_outbox;
CREATE INDEX sync_outbox_by_time ON sync_outbox (namespace_id, created_at, account);
CREATE INDEX sync_outbox_unwritten ON sync_outbox (namespace_id, seq, account) WHERE send_id IS NULL;
CREATE INDEX sync_outbox_by_send ON sync_outbox (send_id, account) WHERE send_id IS NOT NULL;
