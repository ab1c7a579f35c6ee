-- Which memories were put before agents. Of a memory its number alone is kept: what is deleted leaves nothing but a count.
CREATE TABLE recalls (
  id        TEXT    NOT NULL PRIMARY KEY,
  account   INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  agent     TEXT    NOT NULL,
  session   TEXT,
  way       TEXT    NOT NULL,
  namespace TEXT    NOT NULL,
  query     TEXT,
  tokens    INTEGER NOT NULL,
  shown     INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX recalls_by_account ON recalls (account, id);
CREATE INDEX recalls_by_time ON recalls (at);

CREATE TABLE recalled_memories (
  account   INTEGER NOT NULL,
  recall    TEXT    NOT NULL REFERENCES recalls (id) ON DELETE CASCADE,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  place     INTEGER NOT NULL,
  reason    TEXT    NOT NULL,
  score     REAL,
  verdict   TEXT CHECK (verdict IN ('helped', 'misled')),
  PRIMARY KEY (recall, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX recalled_memories_by_memory ON recalled_memories (memory_id);
CREATE INDEX recalled_memories_judged ON recalled_memories (recall) WHERE verdict IS NOT NULL;

CREATE TABLE recall_evaluations (
  id        TEXT    NOT NULL PRIMARY KEY,
  account   INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  cause     TEXT    NOT NULL CHECK (cause IN ('asked', 'changed')),
  made_with TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX recall_evaluations_by_account ON recall_evaluations (account, id);

-- Whether it would be shown again; whether that is right follows from what is said of it now.
CREATE TABLE recall_results (
  account    INTEGER NOT NULL,
  evaluation TEXT    NOT NULL REFERENCES recall_evaluations (id) ON DELETE CASCADE,
  recall     TEXT    NOT NULL,
  memory_id  INTEGER NOT NULL,
  rank       INTEGER,
  score      REAL,
  shown      INTEGER NOT NULL CHECK (shown IN (0, 1)),
  PRIMARY KEY (evaluation, recall, memory_id),
  FOREIGN KEY (recall, memory_id) REFERENCES recalled_memories (recall, memory_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX recall_results_by_case ON recall_results (recall, memory_id);
