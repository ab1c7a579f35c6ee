import type { Caller } from '@reverie/shared/accounts/caller';
import type { SessionHit } from '@reverie/shared/contract/sessions';
import type { ReadDb } from '../../db/open-store.ts';
import type { SessionsDeps } from './deps.ts';
import { entriesByNumber } from './entries.store.ts';
import { sessionOf } from './sessions.service.ts';
import { findSessionsByNumber } from './sessions.store.ts';
import { countMatches, countTexts, matchText } from './text.store.ts';

/** Entries that are read for a query: those whose words fit best. */
const CANDIDATES = 60;
/** Characters of an entry that are read. */
const READ_OF_EACH = 64_000;

export interface WantedHits {
  q: string;
  session?: string | undefined;
  namespace?: string | undefined;
  agent?: string | undefined;
  threshold: number;
  limit: number;
}

/**
 * Finds what was said and done in sessions: by words, ordered by how well each passage fits. What stands in a fork as well is shown once,
 * as the newest session has it.
 */
export function searchSessions(
  deps: Pick<SessionsDeps, 'store' | 'world'>,
  caller: Pick<Caller, 'account' | 'within'>,
  wanted: WantedHits,
): SessionHit[] {
  const query = deps.world.otherQuery(caller.account, wanted.q);
  const { match } = query;
  if (match === undefined) return [];
  return deps.store.read((db) => {
    const found = matchText(db, {
      ...{ account: caller.account, within: caller.within, match, limit: CANDIDATES + wanted.limit },
      session: wanted.session === undefined ? null : sessionOf(db, caller, wanted.session).n,
      namespace: wanted.namespace === '*' ? null : (wanted.namespace ?? null),
      agent: wanted.agent ?? null,
    });
    const best = found[0]?.rank ?? 0;
    const rows = entriesByNumber(
      db,
      found.map(({ n }) => n),
      READ_OF_EACH,
    );
    const sessions = findSessionsByNumber(db, [...new Set(found.map(({ session }) => session))]);
    const read = query.reader(indexOf(db, caller.account));
    const hits = found.flatMap(({ n, session: number, rank }) => {
      const [row, session] = [rows.get(n), sessions.get(number)];
      if (!row || !session) return [];
      const fit = read(row.text, best < 0 ? rank / best : 0);
      if (!fit || fit.score < wanted.threshold) return [];
      const { id, title, agent, project, namespace } = session;
      const hit: SessionHit = {
        session: { id, title: title ?? 'Untitled session', agent, project, namespace },
        ...{ entry: row.id, seq: row.seq, at: new Date(row.at).toISOString(), kind: row.kind, ...fit },
      };
      return [{ hit, item: `${agent} ${row.item}` }];
    });
    hits.sort((a, b) => b.hit.score - a.hit.score || b.hit.at.localeCompare(a.hit.at));
    const shown = new Map<string, SessionHit>();
    for (const { hit, item } of hits) if (!shown.has(item)) shown.set(item, hit);
    return [...shown.values()].slice(0, wanted.limit);
  });
}

function indexOf(db: ReadDb, account: Caller['account']) {
  return { texts: countTexts(db, account), count: (match: string) => countMatches(db, account, match) };
}
