-- What was decided about a namespace that left sync, or waits to be decided, outlives an unlink: linked again, it would go to the relay.
CREATE TABLE sync_lost_next (
  account INTEGER NOT NULL,
  name    TEXT    NOT NULL,
  room    TEXT    NOT NULL,
  role    TEXT    NOT NULL CHECK (role IN ('viewer', 'editor', 'owner')),
  reason  TEXT    NOT NULL CHECK (reason IN ('deleted', 'ended', 'left', 'restored', 'unsure')),
  lost_at INTEGER NOT NULL,
  -- Changes of this machine that nobody else has got.
  unsent  INTEGER NOT NULL,
  -- 1 once somebody said that it stays on this machine only.
  kept    INTEGER NOT NULL DEFAULT 0,
  -- A room that would go together with it, and waits until somebody decides.
  waiting TEXT,
  PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;
INSERT INTO sync_lost_next (account, name, room, role, reason, lost_at, unsent, kept)
  SELECT account, name, room, role, reason, lost_at, unsent, kept FROM sync_lost;
DROP TABLE sync_lost;
ALTER TABLE sync_lost_next RENAME TO sync_lost;

-- The relay's log in which the room was seen last, also where nothing was read of it yet; empty where that is not known.
ALTER TABLE sync_namespaces ADD COLUMN seen_in TEXT NOT NULL DEFAULT '';
UPDATE sync_namespaces SET seen_in = log_id WHERE log_id <> 'before-epochs';
