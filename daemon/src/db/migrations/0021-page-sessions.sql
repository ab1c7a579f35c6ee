-- The page has one key an account, whose text nobody has: each ticket that is traded opens a session of it. Of a session's
-- token only the SHA-256 is here. The page had a key for each ticket before; those become sessions of the newest, so
-- that open tabs stay signed in.
CREATE TABLE page_sessions (
  id         TEXT    NOT NULL PRIMARY KEY,
  account    INTEGER NOT NULL REFERENCES accounts (id),
  key_id     TEXT    NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  hash       BLOB    NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX page_sessions_by_key ON page_sessions (key_id, expires_at);

INSERT INTO page_sessions (id, account, key_id, hash, created_at, expires_at)
SELECT 'ses_' || substr(k.id, 5), k.account,
  (SELECT n.id FROM api_keys n WHERE n.account = k.account AND n.purpose = 'page' AND n.revoked_at IS NULL
   ORDER BY n.created_at DESC, n.id DESC LIMIT 1),
  k.hash, k.created_at, k.expires_at
FROM api_keys k WHERE k.purpose = 'page' AND k.revoked_at IS NULL AND k.expires_at IS NOT NULL;

UPDATE api_keys AS k SET name = 'Page', key_prefix = '', hash = randomblob(32), expires_at = NULL,
  last_used_at = (SELECT max(o.last_used_at) FROM api_keys o WHERE o.account = k.account AND o.purpose = 'page')
WHERE k.purpose = 'page' AND k.id IN (SELECT key_id FROM page_sessions);
DELETE FROM api_keys WHERE purpose = 'page' AND id NOT IN (SELECT key_id FROM page_sessions);
