-- The key by which this home knows its relay again, kept once the relay has proved it and let this device in; null before.
ALTER TABLE sync_links ADD COLUMN relay_key TEXT;
-- The relay's log in which this device was let in, or last compared its rooms.
ALTER TABLE sync_links ADD COLUMN log_id TEXT NOT NULL DEFAULT '';
-- Where else the relay is reached, as it said itself: a list in JSON.
ALTER TABLE sync_links ADD COLUMN addresses TEXT NOT NULL DEFAULT '[]';

-- The e-mail address of who made a room of others, for who is told that it left sync.
ALTER TABLE sync_namespaces ADD COLUMN owner TEXT;

-- 'unlinked': this machine left the relay where a namespace of somebody else was shared.
CREATE TABLE sync_lost_next (
  account INTEGER NOT NULL,
  name    TEXT    NOT NULL,
  room    TEXT    NOT NULL,
  role    TEXT    NOT NULL CHECK (role IN ('viewer', 'editor', 'owner')),
  reason  TEXT    NOT NULL CHECK (reason IN ('deleted', 'ended', 'left', 'restored', 'unsure', 'unlinked')),
  lost_at INTEGER NOT NULL,
  -- Changes of this machine that nobody else has got.
  unsent  INTEGER NOT NULL,
  -- 1 once somebody said that it stays on this machine only.
  kept    INTEGER NOT NULL DEFAULT 0,
  -- A room that would go together with it, and waits until somebody decides.
  waiting TEXT,
  -- The e-mail address of who made the room; null where that is not known.
  owner   TEXT,
  PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;
INSERT INTO sync_lost_next (account, name, room, role, reason, lost_at, unsent, kept, waiting)
  SELECT account, name, room, role, reason, lost_at, unsent, kept, waiting FROM sync_lost;
DROP TABLE sync_lost;
ALTER TABLE sync_lost_next RENAME TO sync_lost;

-- Who shares something with an account and had all devices replaced by recovery, and when.
CREATE TABLE sync_recovered (
  account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  email   TEXT    NOT NULL,
  at      INTEGER NOT NULL,
  PRIMARY KEY (account, email)
) STRICT, WITHOUT ROWID;

-- Sessions whose sharing ended without anybody here ending it: 'restored': the relay was restored from before it was shared; 'ended' by
-- its owner, or on another device; 'left': this machine left the relay where it was shared.
CREATE TABLE session_endings (
  session INTEGER NOT NULL PRIMARY KEY REFERENCES sessions (n) ON DELETE CASCADE,
  account INTEGER NOT NULL,
  reason  TEXT    NOT NULL CHECK (reason IN ('restored', 'ended', 'left')),
  at      INTEGER NOT NULL
) STRICT;
