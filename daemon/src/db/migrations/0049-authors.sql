-- Who wrote what a memory says, as `KIND:ID` of the actor; NULL where it was written before this was kept.
ALTER TABLE memories ADD COLUMN writer TEXT;
ALTER TABLE memory_versions ADD COLUMN writer TEXT;

-- Devices that the relay told the names of, with whose they are. They stay when their owner leaves or this home is unlinked: what they
-- wrote stays, too.
CREATE TABLE known_writers (
  account INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  device  TEXT    NOT NULL,
  name    TEXT    NOT NULL,
  -- The e-mail address of the person; NULL where the relay does not tell.
  email   TEXT,
  -- 1: another device of this account's own person.
  own     INTEGER NOT NULL CHECK (own IN (0, 1)),
  PRIMARY KEY (account, device)
) STRICT, WITHOUT ROWID;
