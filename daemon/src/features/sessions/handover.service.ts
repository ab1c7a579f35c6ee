import type { Handover } from '@reverie/shared/contract/sessions';
import type { ReadDb } from '../../db/open-store.ts';
import type { SessionsDeps } from './deps.ts';
import { entriesAfter, type EntryRow } from './entries.store.ts';
import { writeHandover } from './handover.ts';
import { sessionOf, type SessionsCaller } from './sessions.service.ts';

/** Entries that are read at a time, and characters of each. */
const PAGE = { limit: 500, letters: 24_000 };
/** What a hand-over is made of; the rest is output. */
const KINDS = JSON.stringify(['prompt', 'answer', 'summary', 'tool_call', 'tool_result']);

/** What another agent or a colleague needs to go on with a session, with secrets taken out. */
export async function handOver(
  { store, world }: Pick<SessionsDeps, 'store' | 'world'>,
  caller: SessionsCaller,
  { id, max_tokens }: { id: string; max_tokens: number },
): Promise<Handover> {
  const written = store.read((db) => {
    const row = sessionOf(db, caller, id);
    const { title, agent, project, branch, folder, started_at, updated_at, entries } = row;
    const source = { agent, project, branch, folder, from: started_at, until: updated_at };
    const handover = writeHandover(
      { ...source, title: title ?? 'Untitled session', entries: allEntries(db, row.n) },
      // Redaction may make it a little longer.
      max_tokens - 16,
    );
    return { ...handover, title: title ?? 'Untitled session', entries };
  });
  const { text, redactions } = await world.redact(written.markdown);
  // It goes where the Markdown goes.
  const title = (await world.redact(written.title)).text;
  return {
    ...{ id, title, markdown: text, redactions },
    tokens: Math.ceil(Buffer.byteLength(text) / 4),
    left_out: written.entries - written.quoted.size,
  };
}

function* allEntries(db: ReadDb, session: number): Generator<EntryRow> {
  let after: EntryRow | null = null;
  for (;;) {
    const rows: EntryRow[] = entriesAfter(db, { session, kinds: KINDS, failed: null }, { ...PAGE, after });
    yield* rows;
    after = rows.at(-1) ?? null;
    if (rows.length < PAGE.limit) return;
  }
}
