-- Rooms that others made this account the owner of, as the relay told last; at: ms since 1970.
CREATE TABLE sync_handed_over (
  account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  room    TEXT    NOT NULL,
  email   TEXT,
  at      INTEGER NOT NULL,
  PRIMARY KEY (account, room)
) STRICT, WITHOUT ROWID;
