-- Namespaces that left sync because their room is not this account's any more, until they are synced again. Their memories stay.
CREATE TABLE sync_lost (
  account INTEGER NOT NULL REFERENCES sync_links (account) ON DELETE CASCADE,
  name    TEXT    NOT NULL,
  room    TEXT    NOT NULL,
  role    TEXT    NOT NULL CHECK (role IN ('viewer', 'editor', 'owner')),
  reason  TEXT    NOT NULL CHECK (reason IN ('deleted', 'ended', 'left', 'restored')),
  lost_at INTEGER NOT NULL,
  -- Changes of this machine that nobody else has got.
  unsent  INTEGER NOT NULL,
  -- 1 once somebody said that it stays on this machine only.
  kept    INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account, name)
) STRICT, WITHOUT ROWID;
