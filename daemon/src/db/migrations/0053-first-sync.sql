-- How far the first sync is. Where the first reading of a room begins: what is before it is not this account's to read.
ALTER TABLE sync_namespaces ADD COLUMN first_from INTEGER NOT NULL DEFAULT 0;
-- 1 while it is of a first sync that goes on, also where it itself is through: what is told is of all of them.
ALTER TABLE sync_namespaces ADD COLUMN in_first_sync INTEGER NOT NULL DEFAULT 1;
UPDATE sync_namespaces SET in_first_sync = 0;
-- 1 where the memory was here before its namespace was synced.
ALTER TABLE sync_outbox ADD COLUMN is_first INTEGER NOT NULL DEFAULT 0;
CREATE INDEX sync_outbox_first ON sync_outbox (namespace_id, account) WHERE is_first = 1;
