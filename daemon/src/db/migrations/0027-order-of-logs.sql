-- Entries stand in the order of their log, not of the clock: by `ordered_at`, then `place`. `log_time` is the time of the entry, or the
-- latest one before it in its log; null for what was stored before there was one, which its own time orders.
ALTER TABLE session_entries ADD COLUMN log_time INTEGER;
ALTER TABLE session_entries ADD COLUMN ordered_at INTEGER GENERATED ALWAYS AS (coalesce(log_time, at)) VIRTUAL;
DROP INDEX session_entries_in_order;
CREATE INDEX session_entries_in_order ON session_entries (session, ordered_at, place, id);

-- Lines of which not all could be read, of a session's logs together; the session whose log a file is, by its agent's own id.
ALTER TABLE sessions ADD COLUMN unread INTEGER NOT NULL DEFAULT 0;
ALTER TABLE session_files ADD COLUMN session TEXT;
CREATE INDEX session_files_of_session ON session_files (account, agent, session) WHERE session IS NOT NULL;

-- All logs are read again: for the order, for the counts, and for records that stand in lines which could not be read before.
DELETE FROM session_files;
