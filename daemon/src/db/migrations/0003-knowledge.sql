-- The durable queue of the background: memories whose facts are still to be found.
CREATE TABLE facts_queue (
  memory_id INTEGER PRIMARY KEY REFERENCES memories (id) ON DELETE CASCADE,
  account   INTEGER NOT NULL
) STRICT;
INSERT INTO facts_queue (memory_id, account) SELECT id, account FROM memories;

-- What memories say of things: subject, predicate, object, as written and as compared (`*_norm`). Which fact a newer
-- one has superseded is asked when reading (see knowledge.store.ts), so that withdrawing the newer one needs no repair.
-- `observed_at` is when it was said, `valid_from` since when it holds.
CREATE TABLE facts (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL,
  memory_id    INTEGER NOT NULL REFERENCES memories (id) ON DELETE CASCADE,
  subject      TEXT    NOT NULL,
  subject_norm TEXT    NOT NULL,
  predicate    TEXT    NOT NULL,
  said         TEXT    NOT NULL,
  object       TEXT    NOT NULL,
  object_norm  TEXT    NOT NULL,
  kind         TEXT    NOT NULL CHECK (kind IN ('name', 'date', 'number', 'money', 'text')),
  negated      INTEGER NOT NULL,
  functional   INTEGER NOT NULL,
  sentence     TEXT    NOT NULL,
  confidence   REAL    NOT NULL,
  origin       TEXT    NOT NULL CHECK (origin IN ('text', 'metadata')),
  observed_at  INTEGER NOT NULL,
  valid_from   INTEGER NOT NULL
) STRICT;
CREATE INDEX facts_by_memory ON facts (memory_id, account);
CREATE INDEX facts_by_place ON facts (account, namespace_id, id);
CREATE INDEX facts_by_subject ON facts (account, namespace_id, subject_norm, predicate, valid_from, observed_at, memory_id);
CREATE INDEX facts_by_object ON facts (account, namespace_id, subject_norm, predicate, object_norm, negated, valid_from);

-- The words by which a fact is found, stemmed; `role` adds 1 for the subject, 2 for the predicate, 4 for the object.
CREATE TABLE fact_terms (
  account      INTEGER NOT NULL,
  namespace_id INTEGER NOT NULL,
  term         TEXT    NOT NULL,
  fact_id      INTEGER NOT NULL REFERENCES facts (id) ON DELETE CASCADE,
  role         INTEGER NOT NULL,
  PRIMARY KEY (account, namespace_id, term, fact_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX fact_terms_by_fact ON fact_terms (fact_id, account);
