-- The queue and the history of dreams in one. `strategies` is the progress of each, as JSON; `clock` is the time that
-- a dream was told to dream at, null for the real one.
CREATE TABLE dream_jobs (
  id            TEXT    NOT NULL PRIMARY KEY,
  account       INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  namespace     TEXT    NOT NULL,
  status        TEXT    NOT NULL CHECK (status IN ('queued', 'running', 'complete', 'failed')),
  started_by    TEXT    NOT NULL CHECK (started_by IN ('request', 'schedule')),
  task          TEXT,
  clock         INTEGER,
  strategies    TEXT    NOT NULL,
  memories      INTEGER NOT NULL,
  sampled_of    INTEGER,
  tokens_used   INTEGER NOT NULL,
  tokens_budget INTEGER NOT NULL,
  winner        TEXT,
  error_code    TEXT,
  error_message TEXT,
  created_at    INTEGER NOT NULL,
  started_at    INTEGER,
  completed_at  INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX dream_jobs_by_account ON dream_jobs (account, id);
CREATE INDEX dream_jobs_by_namespace ON dream_jobs (account, namespace, id);
CREATE INDEX dream_jobs_open ON dream_jobs (status, account, id) WHERE status IN ('queued', 'running');
CREATE INDEX dream_jobs_by_start ON dream_jobs (account, started_at);

-- `undo` holds what taking back an acceptance needs, as JSON; it goes with the row.
CREATE TABLE dream_insights (
  id          TEXT    NOT NULL PRIMARY KEY,
  account     INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  namespace   TEXT    NOT NULL,
  job_id      TEXT    NOT NULL,
  strategy    TEXT    NOT NULL,
  title       TEXT    NOT NULL,
  body        TEXT    NOT NULL,
  confidence  REAL    NOT NULL,
  score       REAL    NOT NULL,
  winner      INTEGER NOT NULL,
  status      TEXT    NOT NULL CHECK (status IN ('proposed', 'accepted', 'rejected')),
  change      TEXT,
  undo        TEXT,
  stale       TEXT    NOT NULL,
  fingerprint BLOB    NOT NULL,
  created_at  INTEGER NOT NULL,
  decided_at  INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX dream_insights_by_account ON dream_insights (account, id);
CREATE INDEX dream_insights_by_namespace ON dream_insights (account, namespace, status, id);
CREATE INDEX dream_insights_by_score ON dream_insights (account, score, id);
CREATE INDEX dream_insights_by_job ON dream_insights (job_id, account, id);

-- `digest` is of the whole value that a sentence was taken from, so that a change of it is noticed.
CREATE TABLE dream_evidence (
  account    INTEGER NOT NULL,
  insight_id TEXT    NOT NULL REFERENCES dream_insights (id) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  memory_id  INTEGER NOT NULL,
  key        TEXT    NOT NULL,
  sentence   TEXT    NOT NULL,
  digest     BLOB    NOT NULL,
  PRIMARY KEY (insight_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX dream_evidence_by_memory ON dream_evidence (memory_id, account);

-- What was proposed once is not proposed again; a refusal stays after its insight is gone.
CREATE TABLE dream_fingerprints (
  account     INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  namespace   TEXT    NOT NULL,
  fingerprint BLOB    NOT NULL,
  PRIMARY KEY (account, namespace, fingerprint)
) STRICT, WITHOUT ROWID;

-- How often a memory was recalled on a day (days since 1970, UTC). `queries` are up to 32 hashes of 4 bytes each, made
-- with a secret of this database: enough to count different ones, and nothing to read.
CREATE TABLE memory_recalls (
  account   INTEGER NOT NULL,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  day       INTEGER NOT NULL,
  count     INTEGER NOT NULL,
  queries   BLOB    NOT NULL,
  PRIMARY KEY (memory_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_recalls_by_day ON memory_recalls (day, account);

-- A hidden memory stays as it is; lists and searches leave it out. Its chunks stand below a namespace of their own.
ALTER TABLE memories ADD COLUMN hidden TEXT CHECK (hidden IN ('merged', 'archived'));
ALTER TABLE memories ADD COLUMN merged_into TEXT;
ALTER TABLE memories ADD COLUMN archived_at INTEGER;
CREATE INDEX memories_hidden ON memories (account, namespace_id, hidden, merged_into) WHERE hidden IS NOT NULL;
