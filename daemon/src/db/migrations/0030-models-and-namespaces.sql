-- Which models may see the memories of a namespace, by its name, for it outlives them; any may see one that is not here.
CREATE TABLE namespace_models (
  account   INTEGER NOT NULL,
  namespace TEXT    NOT NULL,
  models    TEXT    NOT NULL CHECK (models IN ('local', 'none')),
  PRIMARY KEY (account, namespace)
) STRICT, WITHOUT ROWID;

-- Chunks that a server may not see have the model `withheld` and no vector: they do not wait for one.
CREATE INDEX chunks_withheld ON chunks (id, account) WHERE model = 'withheld';

-- For whose questions and dreams tokens were taken, by UTC month (`2026-11`); the sum of all stands in `model_spending`.
CREATE TABLE model_payers (
  account INTEGER NOT NULL,
  month   TEXT    NOT NULL,
  part    TEXT    NOT NULL CHECK (part IN ('ask', 'dreams', 'vectors')),
  tokens  INTEGER NOT NULL,
  PRIMARY KEY (account, month, part)
) STRICT, WITHOUT ROWID;

-- What left for a model, written before it was sent. Of a note its number alone is kept: what is deleted leaves nothing but a count.
-- `tokens` and `answered` are NULL until the answer is there.
CREATE TABLE model_sheets (
  id       TEXT    NOT NULL PRIMARY KEY,
  account  INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  part     TEXT    NOT NULL CHECK (part IN ('ask', 'dreams', 'examination')),
  server   TEXT    NOT NULL,
  model    TEXT    NOT NULL,
  reach    TEXT    NOT NULL CHECK (reach IN ('local', 'beyond')),
  shown    INTEGER NOT NULL,
  tokens   INTEGER,
  answered INTEGER CHECK (answered IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX model_sheets_by_account ON model_sheets (account, id);
CREATE INDEX model_sheets_by_time ON model_sheets (at);

CREATE TABLE model_sheet_notes (
  account   INTEGER NOT NULL,
  sheet     TEXT    NOT NULL REFERENCES model_sheets (id) ON DELETE CASCADE,
  memory_id INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  place     INTEGER NOT NULL,
  PRIMARY KEY (sheet, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX model_sheet_notes_by_memory ON model_sheet_notes (memory_id);
