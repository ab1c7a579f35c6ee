-- When each agent's hooks were called, for `reverie doctor agents`.
CREATE TABLE hook_firings (
  account INTEGER NOT NULL,
  agent   TEXT    NOT NULL,
  event   TEXT    NOT NULL,
  fired   INTEGER NOT NULL,
  doubled INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (account, agent, event)
) STRICT, WITHOUT ROWID;

CREATE TABLE hook_sessions (
  account    INTEGER NOT NULL,
  session    TEXT    NOT NULL,
  agent      TEXT    NOT NULL,
  namespace  TEXT    NOT NULL,
  started_at INTEGER NOT NULL,
  last_at    INTEGER NOT NULL,
  PRIMARY KEY (account, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX hook_sessions_by_agent ON hook_sessions (account, namespace, agent, last_at);

-- What a session was shown, as a hash of namespace, key and version: a memory that is deleted leaves nothing here.
CREATE TABLE hook_shown (
  account INTEGER NOT NULL,
  session TEXT    NOT NULL,
  memory  BLOB    NOT NULL,
  PRIMARY KEY (account, session, memory)
) STRICT, WITHOUT ROWID;

-- Sentences that a person said to last, until their session ends; then only the hash stays, so that none is proposed twice.
CREATE TABLE hook_candidates (
  account   INTEGER NOT NULL,
  namespace TEXT    NOT NULL,
  hash      BLOB    NOT NULL,
  session   TEXT    NOT NULL,
  agent     TEXT    NOT NULL,
  sentence  TEXT,
  why       TEXT    NOT NULL,
  said_at   INTEGER NOT NULL,
  PRIMARY KEY (account, namespace, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX hook_candidates_waiting ON hook_candidates (account, namespace, session) WHERE sentence IS NOT NULL;
