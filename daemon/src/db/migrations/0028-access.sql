-- The key that wrote a receipt: one that is over every namespace (`*`) is its own, and of keys that have all of them.
ALTER TABLE recalls ADD COLUMN key_id TEXT;

-- What a participant wrote into a shared session is counted.
CREATE INDEX session_notes_by_device ON session_entries (session, device, at, bytes) WHERE kind = 'note';

-- Times that cannot be, told by a wrong clock, kept their sessions live and first of every list: those from 2100 on count as when the
-- session began, or as now, and those from before 1970 as of then.
UPDATE session_entries SET at = 0 WHERE at < 0;
UPDATE sessions SET started_at = 0 WHERE started_at < 0;
UPDATE sessions SET updated_at = 0 WHERE updated_at < 0;
UPDATE sessions SET started_at = unixepoch() * 1000 WHERE started_at >= 4102444800000;
UPDATE session_entries SET at = (SELECT s.started_at FROM sessions s WHERE s.n = session_entries.session) WHERE at >= 4102444800000;
UPDATE sessions SET updated_at = max(started_at, coalesce((SELECT max(e.at) FROM session_entries e WHERE e.session = sessions.n), 0))
WHERE updated_at >= 4102444800000;
UPDATE sessions SET ended_at = updated_at WHERE ended_at < 0 OR ended_at >= 4102444800000;
