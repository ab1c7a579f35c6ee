-- Until when a room has said all that stood in a namespace that left sync, ms since 1970; 0 where that is not known.
ALTER TABLE sync_lost ADD COLUMN known_until INTEGER NOT NULL DEFAULT 0;
UPDATE sync_lost SET known_until = lost_at WHERE unsent = 0;
