-- Coding sessions. The logs of agents are read again from their beginning whenever that is needed: what is here follows from them,
-- and stays when they are deleted. A source that nobody agreed to has no row, or one that is not enabled.
CREATE TABLE session_sources (
  account    INTEGER NOT NULL REFERENCES accounts (id),
  agent      TEXT    NOT NULL,
  root       TEXT,
  enabled    INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  enabled_at INTEGER,
  PRIMARY KEY (account, agent)
) STRICT, WITHOUT ROWID;

-- `seq` counts what came to a session; `source` is the agent's own id of it, `parent` that of the one it was begun from.
CREATE TABLE sessions (
  n             INTEGER PRIMARY KEY,
  id            TEXT    NOT NULL UNIQUE,
  account       INTEGER NOT NULL REFERENCES accounts (id),
  agent         TEXT    NOT NULL,
  source        TEXT,
  title         TEXT,
  title_rank    INTEGER NOT NULL,
  project       TEXT,
  folder        TEXT,
  branch        TEXT,
  version       TEXT,
  namespace     TEXT    NOT NULL,
  parent        TEXT,
  parent_kind   TEXT CHECK (parent_kind IN ('subagent', 'fork', 'continuation')),
  models        TEXT    NOT NULL,
  tokens        INTEGER NOT NULL,
  entries       INTEGER NOT NULL,
  others        INTEGER NOT NULL,
  seq           INTEGER NOT NULL,
  role          TEXT    NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  started_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  ended_at      INTEGER,
  UNIQUE (account, agent, source)
) STRICT;
CREATE INDEX sessions_by_time ON sessions (account, updated_at, n);
CREATE INDEX sessions_by_parent ON sessions (account, agent, parent) WHERE parent IS NOT NULL;

-- Ordered by `at`, then `place`, which its author counted: the same on every machine. `seq` is when it came here, or changed.
CREATE TABLE session_entries (
  n            INTEGER PRIMARY KEY,
  account      INTEGER NOT NULL,
  session      INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
  id           TEXT    NOT NULL,
  item         TEXT    NOT NULL,
  seq          INTEGER NOT NULL,
  at           INTEGER NOT NULL,
  place        INTEGER NOT NULL,
  kind         TEXT    NOT NULL,
  failed       INTEGER CHECK (failed IN (0, 1)),
  author       TEXT    NOT NULL,
  author_name  TEXT    NOT NULL,
  author_agent TEXT,
  tool         TEXT,
  call         TEXT,
  files        TEXT    NOT NULL,
  reply_to     TEXT,
  child        TEXT,
  redactions   INTEGER NOT NULL,
  format       TEXT    NOT NULL,
  hash         BLOB    NOT NULL,
  bytes        INTEGER NOT NULL,
  text         TEXT    NOT NULL,
  UNIQUE (session, item),
  UNIQUE (session, id)
) STRICT;
CREATE INDEX session_entries_in_order ON session_entries (session, at, place, id);
CREATE INDEX session_entries_by_seq ON session_entries (session, seq);

CREATE TABLE session_usage (
  account INTEGER NOT NULL,
  session INTEGER NOT NULL REFERENCES sessions (n) ON DELETE CASCADE,
  item    TEXT    NOT NULL,
  model   TEXT    NOT NULL,
  input   INTEGER NOT NULL,
  output  INTEGER NOT NULL,
  PRIMARY KEY (session, item)
) STRICT, WITHOUT ROWID;

-- How far each log was read. Where it changed while nobody looked, it is read again from its beginning.
CREATE TABLE session_files (
  account   INTEGER NOT NULL,
  path      TEXT    NOT NULL,
  agent     TEXT    NOT NULL,
  inode     TEXT    NOT NULL,
  size      INTEGER NOT NULL,
  changed   REAL    NOT NULL,
  malformed INTEGER NOT NULL,
  PRIMARY KEY (account, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE session_records (
  account  INTEGER NOT NULL,
  agent    TEXT    NOT NULL,
  version  TEXT    NOT NULL,
  record   TEXT    NOT NULL,
  known    INTEGER NOT NULL CHECK (known IN (0, 1)),
  count    INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at  INTEGER NOT NULL,
  PRIMARY KEY (account, agent, version, record)
) STRICT, WITHOUT ROWID;

-- Sessions that were deleted here: their logs are not read again.
CREATE TABLE sessions_forgotten (
  account INTEGER NOT NULL,
  agent   TEXT    NOT NULL,
  source  TEXT    NOT NULL,
  PRIMARY KEY (account, agent, source)
) STRICT, WITHOUT ROWID;
