import type { Caller } from '@reverie/shared/accounts/caller';
import type { SessionHit } from '@reverie/shared/contract/sessions/sessions';
import type { ReadDb } from '../../db/open-store.ts';
import { narrowedMatch } from '../../db/text-indexes.store.ts';
import { turnOfOnesOwn } from '@reverie/shared/time/turns';
import { createYielding } from '../../platform/yielding.ts';
import type { SessionsDeps } from './deps.ts';
import { entriesByNumber } from './entries.store.ts';
import { sessionOf } from './sessions.service.ts';
import { findSessionsByNumber, type SessionRow } from './sessions.store.ts';
import { matchText, sessionTexts } from './text.store.ts';

/** Entries that are read for a query: those whose words fit best. */
const CANDIDATES = 60;
/** Characters of an entry that are read. */
const READ_OF_EACH = 64_000;

export interface WantedHits {
  q: string;
  session?: string | undefined;
  namespace?: string | undefined;
  agent?: string | undefined;
  narrowed?: NarrowedEntries | undefined;
  threshold: number;
  limit: number;
}

/** What entries have to fulfil beside having the words that are looked for. */
export interface NarrowedEntries {
  /** Names of namespaces, one of which the session has. */
  namespaces?: readonly string[] | undefined;
  /** When it was said, in ms since 1970: from then on, and before then. */
  from?: number | undefined;
  to?: number | undefined;
  /** Queries of FTS5: all of these, and none of those. */
  having?: readonly string[] | undefined;
  lacking?: readonly string[] | undefined;
}

/** An entry that was found, with as much of its text as was read. */
export interface FoundEntry {
  hit: SessionHit;
  text: string;
}

/** Finds what was said and done in sessions. */
export async function searchSessions(
  deps: Pick<SessionsDeps, 'store' | 'world'>,
  caller: Pick<Caller, 'account' | 'within' | 'readable'>,
  wanted: WantedHits,
): Promise<SessionHit[]> {
  return (await entriesFor(deps, caller, wanted)).map(({ hit }) => hit);
}

/**
 * Entries by words, ordered by how well each passage fits. What stands in a fork as well is shown once, as the newest session has it. Others
 * have their turn all the while.
 */
export async function entriesFor(
  deps: Pick<SessionsDeps, 'store' | 'world'>,
  caller: Pick<Caller, 'account' | 'within' | 'readable'>,
  wanted: WantedHits,
): Promise<FoundEntry[]> {
  const { store, world } = deps;
  const { account } = caller;
  await world.texts.settled(account);
  const yieldToOthers = createYielding();
  const { match, read } = world.otherQuery({ account, text: wanted.q }, sessionTexts.about(store, account));
  if (match === undefined) return [];
  // Of its own, for FTS5 is asked for all of them at once.
  await turnOfOnesOwn();
  const candidates = store.read((db) => candidatesFor(db, caller, { ...wanted, words: match }));
  const hits: (FoundEntry & { item: string })[] = [];
  for (const { n, session, lexical } of candidates) {
    await yieldToOthers();
    // What went away meanwhile is not answered.
    const row = store.read((db) => entriesByNumber(db, [n], READ_OF_EACH).get(n));
    const fit = row && (await read(row.text, lexical, yieldToOthers));
    if (!fit || fit.score < wanted.threshold) continue;
    const { id, title, agent, project, namespace } = session;
    const hit: SessionHit = {
      session: { id, title: title ?? 'Untitled session', agent, project, namespace },
      entry: row.id,
      seq: row.seq,
      at: new Date(row.at).toISOString(),
      kind: row.kind,
      ...fit,
    };
    hits.push({ hit, text: row.text, item: `${agent} ${row.item}` });
  }
  hits.sort((a, b) => b.hit.score - a.hit.score || b.hit.at.localeCompare(a.hit.at));
  const shown = new Map<string, FoundEntry>();
  for (const { hit, text, item } of hits) if (!shown.has(item)) shown.set(item, { hit, text });
  return [...shown.values()].slice(0, wanted.limit);
}

interface EntryCandidate {
  n: number;
  session: SessionRow;
  /** BM25 as a share of the best, 0..1. */
  lexical: number;
}

/** The entries whose words fit best, with their sessions. */
function candidatesFor(
  db: ReadDb,
  caller: Pick<Caller, 'account' | 'within' | 'readable'>,
  { words, ...wanted }: WantedHits & { words: string },
): EntryCandidate[] {
  const found = matchText(db, {
    account: caller.account,
    within: caller.within,
    limit: CANDIDATES + wanted.limit,
    match: narrowedMatch(words, wanted.narrowed),
    session: wanted.session === undefined ? null : sessionOf(db, caller, wanted.session).n,
    namespace: wanted.namespace === '*' ? null : (wanted.namespace ?? null),
    agent: wanted.agent ?? null,
    ...boundsOf(wanted.narrowed),
  });
  const sessions = findSessionsByNumber(db, [...new Set(found.map(({ session }) => session))]);
  // BM25 as SQLite has it is negative, the lower the better: the best counts 1, others their share of it.
  const best = found[0]?.rank ?? 0;
  return found.flatMap(({ n, session: number, rank }) => {
    const session = sessions.get(number);
    return session ? [{ n, session, lexical: best < 0 ? rank / best : 0 }] : [];
  });
}

function boundsOf({ namespaces, from, to }: NarrowedEntries = {}) {
  return {
    among: namespaces === undefined ? null : JSON.stringify(namespaces),
    from: from ?? null,
    to: to ?? null,
  };
}
