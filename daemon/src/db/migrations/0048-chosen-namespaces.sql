-- Which namespaces this device syncs. It outlives an unlink: what stays here is not to go up once this home is linked again. Times are
-- milliseconds since 1970, UTC.
CREATE TABLE sync_choices (
  account   INTEGER NOT NULL,
  namespace TEXT    NOT NULL,
  -- 0: it stays on this device.
  synced    INTEGER NOT NULL CHECK (synced IN (0, 1)),
  since     INTEGER NOT NULL,
  -- The room on the relay of one that stays here, as it was seen last: syncing it again goes on with that.
  room      TEXT,
  role      TEXT    NOT NULL DEFAULT 'owner' CHECK (role IN ('viewer', 'editor', 'owner')),
  members   INTEGER NOT NULL DEFAULT 1,
  seen_in   TEXT    NOT NULL DEFAULT '',
  PRIMARY KEY (account, namespace)
) STRICT, WITHOUT ROWID;

-- What becomes of a namespace that nobody chose; an account without a row syncs it. `listed`: the same of the rooms that the relay lists
-- for the first time after a link; NULL from then on.
CREATE TABLE sync_defaults (
  account INTEGER NOT NULL PRIMARY KEY,
  synced  INTEGER NOT NULL CHECK (synced IN (0, 1)),
  listed  INTEGER CHECK (listed IN (0, 1))
) STRICT;
