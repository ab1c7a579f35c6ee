-- The key that wrote a receipt: one that is over every namespace (`*`) is its own, and of keys that have all of them.
ALTER TABLE recalls ADD COLUMN key_id TEXT;

-- What a device wrote into a shared session is counted.
CREATE INDEX session_entries_by_device ON session_entries (session, device, at) WHERE device IS NOT NULL;

-- Times that were told from far ahead kept their sessions live, and first of every list: they count as of now.
UPDATE session_entries SET at = unixepoch() * 1000 WHERE at > (unixepoch() + 600) * 1000;
UPDATE session_entries SET at = 0 WHERE at < 0;
UPDATE sessions SET updated_at = unixepoch() * 1000 WHERE updated_at > (unixepoch() + 600) * 1000;
UPDATE sessions SET started_at = min(started_at, updated_at) WHERE started_at > updated_at;
UPDATE sessions SET started_at = 0 WHERE started_at < 0;
UPDATE sessions SET updated_at = 0 WHERE updated_at < 0;
UPDATE sessions SET ended_at = updated_at WHERE ended_at IS NOT NULL AND (ended_at < 0 OR ended_at > (unixepoch() + 600) * 1000);
