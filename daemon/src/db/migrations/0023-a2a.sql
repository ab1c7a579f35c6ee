-- Dreams that were asked for by A2A: such a task is its dream, and has only its conversation beside it.
CREATE TABLE a2a_tasks (
  job_id     TEXT    NOT NULL PRIMARY KEY REFERENCES dream_jobs (id) ON DELETE CASCADE,
  account    INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  context_id TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX a2a_tasks_by_account ON a2a_tasks (account, job_id);
