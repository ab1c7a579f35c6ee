-- The day that a memory gives itself (its name, a property, its first heading): its first moment in UTC, in ms since 1970; null where it
-- gives none. It follows from key, value and metadata alone, and is read again whenever one of them is written.
ALTER TABLE memories ADD COLUMN noted_at INTEGER;
CREATE INDEX memories_by_day ON memories (account, namespace_id, coalesce(noted_at, created_at), key);
-- Notes out of files, which were known before they were brought here.
CREATE INDEX memories_noted ON memories (account, namespace_id, noted_at)
  WHERE noted_at IS NOT NULL AND metadata ->> '$.imported.path' IS NOT NULL;

-- Memories of before, up to this id, are read in the background, the newest first.
INSERT INTO meta (name, value) SELECT 'days_unread', max(id) FROM memories HAVING count(*) > 0;
