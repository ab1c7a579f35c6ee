import Database from 'better-sqlite3';

/** What a database file holds, and what is wrong with it (nothing, when `problems` is empty). */
export interface Verified {
  version: number;
  memories: number;
  events: number;
  logId: string;
  problems: string[];
}

/**
 * Checks a database file without changing it: SQLite's own integrity check (text indexes included),
 * foreign keys, and whether counts, chunks and text rows agree with the memories.
 */
export function verifyDatabase(file: string): Verified {
  const db = new Database(file, { readonly: true, fileMustExist: true });
  try {
    return verifyOpen(db);
  } finally {
    db.close();
  }
}

function verifyOpen(db: Database.Database): Verified {
  const problems: string[] = [];
  try {
    return verifyRows(db, problems);
  } catch (cause) {
    // A damaged file may fail at any of the questions that are asked of it.
    const because = cause instanceof Error ? cause.message : String(cause);
    return { version: 0, memories: 0, events: 0, logId: '', problems: [...problems, because] };
  }
}

function verifyRows(db: Database.Database, problems: string[]): Verified {
  const number = (sql: string) => Number(db.prepare(sql).pluck().get());
  const checked = db.pragma('integrity_check(20)') as { integrity_check: string }[];
  for (const { integrity_check } of checked) if (integrity_check !== 'ok') problems.push(integrity_check);
  const strays = (db.pragma('foreign_key_check') as unknown[]).length;
  if (strays > 0) problems.push(`${strays} rows refer to rows that are not there`);

  const wrongCounts = number(`SELECT count(*) FROM namespaces n WHERE
    n.memories <> (SELECT count(*) FROM memories m WHERE m.account = n.account AND m.namespace_id = n.id)
    OR n.bytes <> (SELECT coalesce(sum(m.bytes), 0) FROM memories m WHERE m.account = n.account AND m.namespace_id = n.id)
    OR n.chunks <> (SELECT count(*) FROM chunks c WHERE c.id >= n.id * 2147483648 AND c.id < (n.id + 1) * 2147483648)`);
  if (wrongCounts > 0) problems.push(`the counts of ${wrongCounts} namespaces differ from their memories`);
  const unindexed = number(
    // What is in the trash stands below a name with two control characters before it, and is in no index.
    `SELECT count(*) FROM memories m WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.memory_id = m.id)
       AND m.namespace_id NOT IN (SELECT id FROM namespaces WHERE substr(name, 1, 2) = char(1, 1))`,
  );
  if (unindexed > 0) problems.push(`${unindexed} memories are not in the search index`);
  // What an older program wrote has no such table.
  const leaves = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'removed_chunks'").get() !== undefined;
  const isGone = leaves ? 'EXISTS (SELECT 1 FROM removed_chunks r WHERE r.chunk = t.id)' : 'FALSE';
  const accounts = db.prepare('SELECT id FROM accounts').pluck().all() as number[];
  for (const id of accounts) {
    const missing = number(
      `SELECT count(*) FROM chunks c WHERE c.account = ${id} AND c.model IS NOT 'unindexed' AND NOT EXISTS (SELECT 1 FROM text_${id}_content t WHERE t.id = c.id)`,
    );
    const extra = number(
      `SELECT count(*) FROM text_${id}_content t WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.id = t.id AND c.account = ${id}) AND NOT ${isGone}`,
    );
    if (missing > 0) problems.push(`${missing} chunks are missing from the text index of account ${id}`);
    if (extra > 0) problems.push(`the text index of account ${id} has ${extra} chunks too many`);
  }
  return {
    version: db.pragma('user_version', { simple: true }) as number,
    memories: number('SELECT count(*) FROM memories'),
    events: number('SELECT count(*) FROM events'),
    logId:
      db.prepare<[], { value: string }>("SELECT value FROM meta WHERE name = 'log_id'").get()?.value ?? '',
    problems,
  };
}

/** How much a database file holds, as a person is told before it is replaced. Throws where it cannot be read. */
export function countHeld(file: string): { memories: number; events: number } {
  const db = new Database(file, { readonly: true });
  try {
    const number = (table: 'memories' | 'events') =>
      Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    return { memories: number('memories'), events: number('events') };
  } finally {
    db.close();
  }
}
