-- Rooms of the relay whose log holds records, not documents: shared sessions. `host` is the device of the first record.
CREATE TABLE record_rooms (
  room    TEXT    NOT NULL PRIMARY KEY,
  account INTEGER NOT NULL,
  about   TEXT    NOT NULL,
  role    TEXT    NOT NULL,
  log_id  TEXT    NOT NULL,
  cursor  INTEGER NOT NULL,
  hash    BLOB    NOT NULL,
  head    INTEGER NOT NULL,
  host    TEXT,
  UNIQUE (account, about)
) STRICT, WITHOUT ROWID;

-- Records on their way to the relay, until it has them on its disk. Their numbers are never used twice.
CREATE TABLE record_sends (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  account     INTEGER NOT NULL,
  room        TEXT    NOT NULL REFERENCES record_rooms (room) ON DELETE CASCADE,
  incarnation TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  body        BLOB    NOT NULL
) STRICT;
CREATE INDEX record_sends_of_room ON record_sends (room, id);

-- How a session is shared from this machine. What came behind `queued` is still to be looked through for secrets; `begun` is where
-- sharing began. `approved` are the kinds of secrets that a person was shown, as a list in JSON.
CREATE TABLE session_shares (
  session  INTEGER NOT NULL PRIMARY KEY REFERENCES sessions (n) ON DELETE CASCADE,
  account  INTEGER NOT NULL,
  begun    INTEGER NOT NULL,
  queued   INTEGER NOT NULL,
  approved TEXT    NOT NULL,
  told     TEXT    NOT NULL,
  waits    INTEGER NOT NULL CHECK (waits IN (0, 1))
) STRICT;

-- Who is in a shared session, as the relay said last.
CREATE TABLE session_members (
  account INTEGER NOT NULL,
  session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
  member  TEXT    NOT NULL,
  name    TEXT    NOT NULL,
  role    TEXT    NOT NULL,
  self    INTEGER NOT NULL CHECK (self IN (0, 1)),
  PRIMARY KEY (session, member)
) STRICT, WITHOUT ROWID;

-- The device that an entry came from; null for what was written here. Only it may change the entry.
ALTER TABLE session_entries ADD COLUMN device TEXT;
