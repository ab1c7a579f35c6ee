-- Requests by the address of the caller that are limited over longer than a restart: signups and the sandbox.
-- `since` in ms since 1970; a window that is over goes with the next that is saved.
CREATE TABLE address_counts (
  what    TEXT    NOT NULL,
  address TEXT    NOT NULL,
  since   INTEGER NOT NULL,
  used    INTEGER NOT NULL,
  PRIMARY KEY (what, address)
) STRICT, WITHOUT ROWID;
