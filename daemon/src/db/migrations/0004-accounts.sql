-- Who signed up. Of the token that stands in the mail only its SHA-256 is here. An account with `expires_at`
-- and without `confirmed_at` is provisional: its keys stop at that time. `held` counts what such an account
-- stored, never too little; it is measured anew before a write is refused for it.
ALTER TABLE accounts ADD COLUMN email        TEXT;
ALTER TABLE accounts ADD COLUMN token_hash   BLOB;
ALTER TABLE accounts ADD COLUMN expires_at   INTEGER;
ALTER TABLE accounts ADD COLUMN confirmed_at INTEGER;
ALTER TABLE accounts ADD COLUMN held         INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX accounts_by_token ON accounts (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX accounts_provisional ON accounts (expires_at) WHERE expires_at IS NOT NULL AND confirmed_at IS NULL;

-- What was taken of the quotas of a calendar month (`2026-11`, UTC).
CREATE TABLE account_months (
  account INTEGER NOT NULL REFERENCES accounts (id),
  month   TEXT    NOT NULL,
  recalls INTEGER NOT NULL,
  stores  INTEGER NOT NULL,
  PRIMARY KEY (account, month)
) STRICT, WITHOUT ROWID;

-- Signups of today by the SHA-256 of the e-mail address; those of other days are deleted with the next one.
CREATE TABLE signups (
  email_hash BLOB    NOT NULL PRIMARY KEY,
  day        TEXT    NOT NULL,
  attempts   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
