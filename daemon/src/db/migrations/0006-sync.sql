-- Sync. Nothing stands here while the home was never linked. Times are milliseconds since 1970, UTC; `hlc` is a
-- hybrid logical clock: such a time * 1024, and a counter.

CREATE TABLE sync_links (
  account       INTEGER PRIMARY KEY REFERENCES accounts (id),
  relay         TEXT    NOT NULL,
  email         TEXT,
  device        TEXT,
  device_name   TEXT    NOT NULL,
  -- Of a device that a linked one has to let in.
  request       TEXT,
  number        TEXT,
  expires_at    INTEGER,
  confirm_by    INTEGER,
  paused        INTEGER NOT NULL DEFAULT 0,
  clock         INTEGER NOT NULL DEFAULT 0,
  linked_at     INTEGER NOT NULL,
  last_sync_at  INTEGER
) STRICT;

CREATE TABLE sync_namespaces (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  account        INTEGER NOT NULL REFERENCES sync_links (account) ON DELETE CASCADE,
  name           TEXT    NOT NULL,
  room           TEXT,
  role           TEXT    NOT NULL DEFAULT 'owner' CHECK (role IN ('viewer', 'editor', 'owner')),
  members        INTEGER NOT NULL DEFAULT 1,
  log_id         TEXT    NOT NULL DEFAULT '',
  cursor         INTEGER NOT NULL DEFAULT 0,
  hash           BLOB    NOT NULL DEFAULT x'',
  head           INTEGER,
  epoch          INTEGER NOT NULL DEFAULT 0,
  cleared_before INTEGER NOT NULL DEFAULT 0,
  -- Entries up to this one were there before this device: its first download, which no webhook hears of.
  first_head     INTEGER,
  -- The memories from before the link: those up to this id are in the outbox; null once all of them are.
  upload_after   INTEGER,
  upload_total   INTEGER NOT NULL DEFAULT 0,
  upload_done    INTEGER NOT NULL DEFAULT 0,
  -- The rows are to be made anew once the log was read to its end.
  rebuild        INTEGER NOT NULL DEFAULT 0,
  UNIQUE (account, name)
) STRICT;
CREATE INDEX sync_namespaces_by_room ON sync_namespaces (room, account) WHERE room IS NOT NULL;

-- What was done here and the relay has not confirmed as stored: written in the transaction of the change itself.
CREATE TABLE sync_outbox (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL REFERENCES sync_namespaces (id) ON DELETE CASCADE,
  kind         TEXT    NOT NULL CHECK (kind IN ('set', 'delete', 'clear')),
  key          TEXT,
  content      TEXT,
  hlc          INTEGER NOT NULL,
  created_at   INTEGER NOT NULL,
  send_id      INTEGER
) STRICT;
CREATE INDEX sync_outbox_by_time ON sync_outbox (namespace_id, created_at, account);
CREATE INDEX sync_outbox_unwritten ON sync_outbox (namespace_id, seq, account) WHERE send_id IS NULL;
CREATE INDEX sync_outbox_by_send ON sync_outbox (send_id, account) WHERE send_id IS NOT NULL;

-- Entries for the relay, sent in order and again until they are confirmed, under the number they have here.
CREATE TABLE sync_sends (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL REFERENCES sync_namespaces (id) ON DELETE CASCADE,
  incarnation  TEXT    NOT NULL,
  n            INTEGER NOT NULL,
  at           INTEGER NOT NULL,
  bucket       INTEGER,
  body         BLOB,
  cleared_before INTEGER,
  UNIQUE (namespace_id, incarnation, n)
) STRICT;
CREATE INDEX sync_sends_by_namespace ON sync_sends (namespace_id, id, account);

-- The documents, as updates in order; now and then the first one is the whole bucket.
CREATE TABLE sync_updates (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL REFERENCES sync_namespaces (id) ON DELETE CASCADE,
  bucket       INTEGER NOT NULL,
  body         BLOB    NOT NULL
) STRICT;
CREATE INDEX sync_updates_by_bucket ON sync_updates (namespace_id, bucket, id, account);

-- Entries of the relay that could not be read.
CREATE TABLE sync_quarantine (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL REFERENCES sync_namespaces (id) ON DELETE CASCADE,
  seq          INTEGER NOT NULL,
  device       TEXT    NOT NULL,
  reason       TEXT    NOT NULL,
  body         BLOB    NOT NULL,
  created_at   INTEGER NOT NULL,
  UNIQUE (namespace_id, seq)
) STRICT;

-- Versions that lost against another device, until somebody looked at them; they outlive an unlink.
CREATE TABLE sync_conflicts (
  id          TEXT    NOT NULL PRIMARY KEY,
  account     INTEGER NOT NULL,
  namespace   TEXT    NOT NULL,
  key         TEXT    NOT NULL,
  value       TEXT    NOT NULL,
  metadata    TEXT    NOT NULL,
  expires_at  INTEGER,
  device      TEXT    NOT NULL,
  device_name TEXT,
  incarnation TEXT    NOT NULL,
  hlc         INTEGER NOT NULL,
  reason      TEXT    NOT NULL CHECK (reason IN ('lost', 'refused', 'downgraded')),
  written_at  INTEGER NOT NULL,
  found_at    INTEGER NOT NULL,
  UNIQUE (account, namespace, key, device, incarnation, hlc)
) STRICT, WITHOUT ROWID;
CREATE INDEX sync_conflicts_by_time ON sync_conflicts (account, found_at);
