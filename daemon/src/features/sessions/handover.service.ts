import type { Handover } from '@reverie/shared/contract/sessions/sessions';
import { createYielding } from '../../platform/yielding.ts';
import type { SessionsDeps } from './deps.ts';
import { LOOKED_THROUGH, wholeWords } from './entries.service.ts';
import { entriesAfter, entriesBefore, entriesByNumber, type EntryRow } from './entries.store.ts';
import {
  createPicking,
  createSentenceRoom,
  type PickedEntry,
  type Quote,
  writeHandover,
} from './handover.ts';
import { sessionOf, type SessionsCaller } from './sessions.service.ts';
import type { SessionRow } from './sessions.store.ts';

/** Entries that are read at a time without their texts, and with them. */
const PAGE = 200;
const TEXT_PAGE = 16;
/** What a hand-over is made of; the rest is output. */
const KINDS = JSON.stringify(['prompt', 'answer', 'summary', 'tool_call', 'tool_result']);

type Deps = Pick<SessionsDeps, 'store' | 'world'>;

/** What another agent or a colleague needs to go on with a session: whole entries are looked through for secrets, and lines taken of what came out. */
export async function handOver(
  { store, world }: Deps,
  caller: SessionsCaller,
  { id, max_tokens }: { id: string; max_tokens: number },
): Promise<Handover> {
  const session = store.read((db) => sessionOf(db, caller, id));
  const picks = [...(await picked({ store }, session)), ...(await pickedForSentences({ store }, session))];
  const quotes = await quotesOf({ store, world }, session, picks);
  const { record } = await world.leaver.session(session);
  const { folder, started_at, updated_at, entries } = session;
  const [place] = (await world.leaver.texts(session, [(folder ?? '').slice(0, 4_096)])).texts;
  const title = record.title || 'Untitled session';
  const { markdown, quoted } = writeHandover(
    { ...record, title, folder: place || null, from: started_at, until: updated_at, quotes },
    max_tokens,
  );
  return {
    id,
    title,
    markdown,
    redactions: markdown.match(/\[REDACTED:/gu)?.length ?? 0,
    tokens: Math.ceil(Buffer.byteLength(markdown) / 4),
    left_out: entries - quoted.size,
  };
}

/** Goes through all entries without their texts, in pages, so that others have their turns. */
async function picked({ store }: Pick<Deps, 'store'>, { n }: SessionRow): Promise<PickedEntry[]> {
  const yieldToOthers = createYielding();
  const picking = createPicking();
  let after: EntryRow | null = null;
  for (;;) {
    const rows: EntryRow[] = store.read((db) =>
      entriesAfter(db, { session: n, kinds: KINDS, failed: null }, { after, letters: 0, limit: PAGE }),
    );
    for (const row of rows) {
      picking.take(row);
      await yieldToOthers();
    }
    after = rows.at(-1) ?? null;
    if (rows.length < PAGE) return picking.picks();
  }
}

/** Goes back from the newest entry until there are enough sentences that tell of decisions and of what is open. */
async function pickedForSentences({ store }: Pick<Deps, 'store'>, { n }: SessionRow): Promise<PickedEntry[]> {
  const yieldToOthers = createYielding();
  const room = createSentenceRoom();
  const picks: PickedEntry[] = [];
  let before: EntryRow | null = null;
  for (let kinds = room.kinds(); kinds.length > 0; kinds = room.kinds()) {
    const filter = { session: n, kinds: JSON.stringify(kinds), failed: null };
    const rows: EntryRow[] = store.read((db) =>
      entriesBefore(db, filter, { before, letters: LOOKED_THROUGH, limit: TEXT_PAGE }),
    );
    for (const row of rows.toReversed()) {
      if (room.take(row)) picks.push({ n: row.n, use: 'sentences', order: picks.length });
      await yieldToOthers();
    }
    before = rows.at(0) ?? null;
    if (rows.length < TEXT_PAGE) break;
  }
  return picks;
}

/** The texts of picked entries without their secrets; what could not be looked through is not quoted. */
async function quotesOf(
  { store, world }: Deps,
  session: SessionRow,
  picks: readonly PickedEntry[],
): Promise<Quote[]> {
  const clean = new Map<number, { row: EntryRow; text: string }>();
  const numbers = [...new Set(picks.flatMap(({ n, use }) => (use === 'file' ? [] : [n])))];
  for (let at = 0; at < numbers.length; at += TEXT_PAGE) {
    const rows = store.read((db) => entriesByNumber(db, numbers.slice(at, at + TEXT_PAGE), LOOKED_THROUGH));
    for (const row of rows.values()) {
      const looked = await world.leaver
        .texts(session, [wholeWords(row.text), row.tool ?? ''])
        .catch(() => undefined);
      const [text, tool = ''] = looked?.texts ?? [];
      if (text !== undefined) clean.set(row.n, { row: { ...row, tool: row.tool && tool }, text });
    }
  }
  const files = picks.filter(({ use }) => use === 'file');
  const named = await world.leaver
    .texts(
      session,
      files.map(({ file = '' }) => file.slice(0, 4_096)),
    )
    .catch(() => undefined);
  const ids = store.read((db) =>
    entriesByNumber(
      db,
      files.map(({ n }) => n),
      0,
    ),
  );
  return [
    ...picks.flatMap((pick): Quote[] => {
      const entry = pick.use === 'file' ? undefined : clean.get(pick.n);
      return entry ? [{ pick, entry: entry.row, text: entry.text }] : [];
    }),
    ...files.flatMap((pick, at): Quote[] => {
      const [entry, text] = [ids.get(pick.n), named?.texts[at]];
      return entry && text !== undefined ? [{ pick, entry, text }] : [];
    }),
  ];
}
