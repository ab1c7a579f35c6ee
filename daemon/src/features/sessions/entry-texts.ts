import type { Caller } from '@reverie/shared/accounts/caller';
import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import type { SessionsDeps } from './deps.ts';
import { LOOKED_THROUGH, wholeWords } from './entries.service.ts';
import {
  countEntries,
  entriesAfter,
  entriesBefore,
  type EntryFilter,
  type EntryPlace,
} from './entries.store.ts';
import { sessionOf } from './sessions.service.ts';
import { listSessionRows, type SessionRow } from './sessions.store.ts';

/** What an entry says, and which one of its session it is, counted from 1. */
export interface EntryText {
  session: SessionRow;
  entry: number;
  text: string;
  /** Makes it without its secrets; rejects where it could not be looked through. */
  clean(): Promise<string>;
}

interface WantedTexts {
  namespace: string;
  session?: string | undefined;
  entry?: number | undefined;
}

/** Characters of the entries that are read at once, and how many. */
const AT_ONCE = { letters: LOOKED_THROUGH, most: 1_000_000, limit: 500 } as const;
/** Sessions of a page. */
const SESSIONS = 100;

type Deps = Pick<SessionsDeps, 'store' | 'world'>;
type Asking = Pick<Caller, 'account' | 'within' | 'readable'>;

/** What the entries of sessions say that a caller may read, the newest first, in pages. Throws `session_not_found`. */
export async function* entryTexts(
  deps: Deps,
  caller: Asking,
  wanted: WantedTexts,
): AsyncGenerator<EntryText[]> {
  for (const session of sessionsOf(deps, caller, wanted)) yield* textsOf(deps, session, wanted.entry);
}

function* sessionsOf(
  { store }: Pick<Deps, 'store'>,
  caller: Asking,
  { namespace, session }: WantedTexts,
): Generator<SessionRow> {
  const isMeant = (row: SessionRow) => namespace === EVERY_NAMESPACE || row.namespace === namespace;
  if (session !== undefined) {
    const row = store.read((db) => sessionOf(db, caller, session));
    if (isMeant(row)) yield row;
    return;
  }
  const { account, within } = caller;
  let last: SessionRow | undefined;
  do {
    const rows: SessionRow[] = store.read((db) =>
      listSessionRows(db, {
        account,
        within,
        namespace: namespace === EVERY_NAMESPACE ? null : namespace,
        subagents: 1,
        before: last?.updated_at ?? null,
        beforeN: last?.n ?? null,
        limit: SESSIONS,
        ...ALL,
      }),
    );
    yield* rows;
    last = rows.length === SESSIONS ? rows.at(-1) : undefined;
  } while (last);
}

/** What narrows a list of sessions, and is not asked for here. */
const ALL = {
  agent: null,
  project: null,
  since: null,
  liveSince: null,
  quietSince: null,
  ended: null,
  isOver: null,
  among: null,
} as const;

async function* textsOf(
  { store, world }: Deps,
  session: SessionRow,
  only: number | undefined,
): AsyncGenerator<EntryText[]> {
  const filter: EntryFilter = { session: session.n, kinds: null, failed: null };
  const entryText = (text: string, entry: number): EntryText => ({
    session,
    entry,
    text,
    async clean() {
      const { texts } = await world.leaver.texts(session, [wholeWords(text)]);
      return texts[0] ?? '';
    },
  });
  if (only !== undefined) {
    const offset = only - 1;
    const [row] = store.read((db) => entriesAfter(db, filter, { ...AT_ONCE, after: null, offset, limit: 1 }));
    if (row) yield [entryText(row.text, only)];
    return;
  }
  let entry = store.read((db) => countEntries(db, filter));
  let before: EntryPlace | null = null;
  for (;;) {
    const rows = store.read((db) => entriesBefore(db, filter, { ...AT_ONCE, before }));
    const [first] = rows;
    if (!first) return;
    yield rows.toReversed().map(({ text }) => entryText(text, entry--));
    before = first;
    // Other requests get their turn between two pages.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
