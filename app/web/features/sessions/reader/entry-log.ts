import type { Client } from '@reverie/shared/client';
import { listEntries, type SessionEntry } from '@reverie/shared/contract/sessions/sessions';
import type { Received } from '@reverie/shared/contract/route';
import { createStore, type ValueStore } from '../../../platform/store.ts';

/** What is known of a session: a stretch of it without gaps, which grows where it is read. */
export interface EntryLogState {
  entries: readonly SessionEntry[];
  /** Cursors of what lies before and behind it; null where nothing does. */
  before: string | null;
  after: string | null;
  total: number;
  /** What the stretch grew by last: `news` stays in sight for who stands at the end, `pages` do not. */
  grownBy: 'news' | 'pages';
  /** Entries that came since one was at the end, and are not in the stretch, or not in sight. */
  unseen: number;
  phase: 'loading' | 'idle' | 'failed';
  error: Error | undefined;
}

export interface EntryLog {
  state: ValueStore<EntryLogState>;
  /** Reads the stretch around an entry, or where a session begins; what was known is replaced. */
  open(at: { around: string } | 'start' | 'end'): Promise<void>;
  earlier(): Promise<void>;
  later(): Promise<void>;
  /** Asks what came since the last time. */
  follow(): Promise<void>;
  /** The end is in sight. */
  seen(): void;
  /** The whole text of an entry of which only the beginning came. */
  whole(id: string): Promise<void>;
}

/** Entries of one page: some screens of them, for texts come cut. */
const PAGE = 150;
/** Entries that came since the last look, asked for at once. */
const NEWS = 500;

const NOTHING: EntryLogState = {
  entries: [],
  before: null,
  after: null,
  total: 0,
  grownBy: 'pages',
  unseen: 0,
  phase: 'loading',
  error: undefined,
};

type Page = Received<typeof listEntries>;

/** The entries of one session, read from anywhere in it, and followed. */
export function createEntryLog(call: Client, id: string): EntryLog {
  const state = createStore<EntryLogState>(NOTHING);
  const change = (to: Partial<EntryLogState>) => state.set({ ...state.get(), ...to });
  const ask = (query: { [Name in 'around' | 'before' | 'after']?: string } & { limit?: number }) =>
    call(listEntries, { params: { id }, query: { limit: PAGE, ...query } });
  /** Counts what was opened: an answer to an earlier question is of no use any more. */
  let round = 0;
  /** Everything up to this `seq` was heard of. */
  let seq = 0;
  let isAsking = false;

  const run = async (work: (mine: number) => Promise<void>, mine: number) => {
    change({ phase: 'loading', error: undefined });
    try {
      await work(mine);
    } catch (error) {
      if (mine === round)
        change({ phase: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
    }
  };
  const show = (page: Page, mine: number) => {
    if (mine !== round) return;
    seq = Math.max(seq, page.seq);
    change({ ...stretchOf(page), grownBy: 'pages', unseen: 0, phase: 'idle' });
  };

  const open: EntryLog['open'] = (at) => {
    round += 1;
    seq = 0;
    return run(async (mine) => {
      if (at === 'start') return show(await ask({}), mine);
      const around = at === 'end' ? await lastOf(call, id) : at.around;
      show(await ask(around === undefined ? {} : { around }), mine);
      // What `around` answers begins shortly before an entry, and may end before the session does.
      if (at === 'end') while (mine === round && state.get().after !== null) await grow('after', mine);
    }, round);
  };
  const grow = async (side: 'before' | 'after', mine: number) => {
    const cursor = state.get()[side];
    if (cursor === null) return;
    const page = await ask({ [side]: cursor });
    if (mine !== round) return;
    const { entries } = state.get();
    const known = new Set(entries.map((entry) => entry.id));
    const fresh = page.entries.filter((entry) => !known.has(entry.id));
    change({
      entries: side === 'before' ? [...fresh, ...entries] : [...entries, ...fresh],
      [side]: page[side],
      total: page.total,
      grownBy: 'pages',
      phase: 'idle',
    });
  };
  const growOnce = (side: 'before' | 'after') => {
    const now = state.get();
    if (now.phase === 'loading' || now[side] === null) return Promise.resolve();
    return run((mine) => grow(side, mine), round);
  };

  const follow = async () => {
    // Whoever is told twice at a time asks once: the next news ask again.
    if (isAsking || state.get().phase === 'loading') return;
    isAsking = true;
    const mine = round;
    try {
      for (let isMore = true; isMore && mine === round;) {
        const page = await call(listEntries, { params: { id }, query: { since: seq, limit: NEWS } });
        if (mine !== round) return;
        const newest = page.entries.reduce((most, entry) => Math.max(most, entry.seq), seq);
        // A page ends early where its entries are long.
        isMore = page.entries.length > 0 && newest < page.seq;
        seq = isMore ? newest : Math.max(newest, page.seq);
        if (page.entries.length > 0) change(withNews(state.get(), page.entries));
      }
    } finally {
      isAsking = false;
    }
  };

  return {
    state,
    open,
    earlier: () => growOnce('before'),
    later: () => growOnce('after'),
    follow,
    seen: () => state.get().unseen > 0 && state.get().after === null && change({ unseen: 0 }),
    whole: async (entry) => {
      const found = await wholeOf(call, id, entry);
      if (found) change({ entries: replaced(state.get().entries, new Map([[entry, found]])) });
    },
  };
}

/** Whole texts may be of megabytes: few are asked for at once. */
const WHOLE = 4;
/** `around` begins shortly before an entry: behind so many pages it is not any more. */
const SHORTLY = 10;

async function wholeOf(call: Client, id: string, entry: string): Promise<SessionEntry | undefined> {
  let from: { around?: string; after?: string } = { around: entry };
  for (let pages = 0; pages < SHORTLY; pages += 1) {
    const page: Page = await call(listEntries, {
      params: { id },
      query: { ...from, text: 'whole', limit: WHOLE },
    });
    const found = page.entries.find((one) => one.id === entry);
    if (found || page.after === null) return found;
    from = { after: page.after };
  }
  return undefined;
}

function stretchOf({ entries, before, after, total }: Page) {
  return { entries, before, after, total };
}

/** The id of the entry that came last; there is no cursor of the end. */
async function lastOf(call: Client, id: string): Promise<string | undefined> {
  const { seq } = await call(listEntries, { params: { id }, query: { limit: 1 } });
  const { entries } = await call(listEntries, {
    params: { id },
    query: { since: Math.max(0, seq - LAST), limit: LAST },
  });
  return entries.reduce<SessionEntry | undefined>(
    (last, one) => (last && last.order > one.order ? last : one),
    undefined,
  )?.id;
}

/** Of so many that came last the latest is looked for. */
const LAST = 50;

function replaced(
  entries: readonly SessionEntry[],
  by: ReadonlyMap<string, SessionEntry>,
): readonly SessionEntry[] {
  return entries.map((entry) => by.get(entry.id) ?? entry);
}

/**
 * The stretch with entries that came in: known ones are replaced, and new ones are
 * put in place by their order if the stretch reaches the end of the session.
 */
export function withNews(now: EntryLogState, came: readonly SessionEntry[]): EntryLogState {
  const known = new Set(now.entries.map((entry) => entry.id));
  const entries = [...replaced(now.entries, new Map(came.map((entry) => [entry.id, entry])))];
  const fresh = came.filter((entry) => !known.has(entry.id));
  // Told from the end on: what is new is seldom older than what came before.
  if (now.after === null) for (const entry of fresh) entries.splice(placeOf(entries, entry), 0, entry);
  return {
    ...now,
    entries,
    total: now.total + fresh.length,
    unseen: now.unseen + fresh.length,
    grownBy: 'news',
  };
}

function placeOf(entries: readonly SessionEntry[], entry: SessionEntry): number {
  let at = entries.length;
  while (at > 0 && (entries[at - 1]?.order ?? '') > entry.order) at -= 1;
  return at;
}
