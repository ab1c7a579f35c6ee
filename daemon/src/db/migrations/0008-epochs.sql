-- Sync: epochs, stamps anew, and deletions that leave the documents. What the log said (sync_updates) and what waits to be
-- confirmed (sync_sends) stand apart from now on: a document is both.

-- The newest stamp that the relay has, as far as this device knows: what is stamped anew comes after it.
ALTER TABLE sync_links ADD COLUMN heard INTEGER NOT NULL DEFAULT 0;

-- The newest clear that was read in the log.
ALTER TABLE sync_namespaces ADD COLUMN cleared_in_log INTEGER NOT NULL DEFAULT 0;
-- The epoch that is being begun, and how many buckets, by number, are in it; `epoch` is that of the others.
ALTER TABLE sync_namespaces ADD COLUMN entering INTEGER;
ALTER TABLE sync_namespaces ADD COLUMN entered INTEGER NOT NULL DEFAULT 0;

-- What an entry says, where its update does not tell any more (see decision 20); as JSON.
ALTER TABLE sync_sends ADD COLUMN patch TEXT;
CREATE INDEX sync_sends_by_bucket ON sync_sends (namespace_id, bucket, id, account) WHERE bucket IS NOT NULL;

-- Until now what waits stood among what the log said, too. It is sent again as whole documents.
UPDATE sync_namespaces SET cleared_in_log = cleared_before;
UPDATE sync_namespaces SET log_id = 'before-epochs'
  WHERE log_id <> '' AND EXISTS (SELECT 1 FROM sync_sends s WHERE s.namespace_id = sync_namespaces.id);

-- Documents at the begin of an epoch, by the word of the relay, in place of entries that it does not keep any more.
CREATE TABLE sync_bases (
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL REFERENCES sync_namespaces (id) ON DELETE CASCADE,
  bucket       INTEGER NOT NULL,
  epoch        INTEGER NOT NULL,
  covers       INTEGER NOT NULL,
  body         BLOB    NOT NULL,
  PRIMARY KEY (namespace_id, bucket, epoch)
) STRICT, WITHOUT ROWID;

-- Buckets whose bytes still hold something that was deleted.
CREATE TABLE sync_redactions (
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL REFERENCES sync_namespaces (id) ON DELETE CASCADE,
  bucket       INTEGER NOT NULL,
  PRIMARY KEY (namespace_id, bucket)
) STRICT, WITHOUT ROWID;

-- Rooms of others that were joined, by the namespace that they were put into: after unlinking and linking again they go there again, and
-- into no other one that happens to be called so.
CREATE TABLE sync_joined (
  account INTEGER NOT NULL,
  room    TEXT    NOT NULL,
  name    TEXT    NOT NULL,
  PRIMARY KEY (account, room)
) STRICT, WITHOUT ROWID;
