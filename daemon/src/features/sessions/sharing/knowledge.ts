import type { Store } from '../../../db/open-store.ts';
import { createYielding } from '../../../platform/yielding.ts';
import { type EntryRow, entriesSince } from '../entries.store.ts';
import type { SessionRow } from '../sessions.store.ts';
import type { KnownSecret, Redaction } from './ports.ts';

/** Sessions of which is remembered what was named in them. */
const REMEMBERED = 64;
/** Values of one session; the newest are kept. */
const MOST_VALUES = 2_000;
const PAGE = { kinds: null, failed: null, letters: Number.MAX_SAFE_INTEGER, limit: 16 } as const;

interface Learned {
  /** Up to which entry it was looked through. */
  seq: number;
  values: Map<string, KnownSecret>;
  /** What looks through it now: a second asker waits for it. */
  running: Promise<void>;
}

/** The secrets that are named anywhere in a session, for they may stand without their name elsewhere in it. */
export interface SessionKnowledge {
  of(session: SessionRow): Promise<readonly KnownSecret[]>;
}

/** Looks through a session for what is named as a secret in it: once, and then through what is new. */
export function createKnowledge(store: Store, redaction: Pick<Redaction, 'learn'>): SessionKnowledge {
  const sessions = new Map<number, Learned>();

  async function learn({ n }: SessionRow, learned: Learned): Promise<void> {
    const yieldToOthers = createYielding();
    for (;;) {
      const rows: EntryRow[] = store.read((db) =>
        entriesSince(db, { session: n, kinds: null, failed: null }, { ...PAGE, since: learned.seq }),
      );
      if (rows.length === 0) return;
      for (const secret of await redaction.learn(rows.map(({ text }) => text)))
        learned.values.set(secret.value, secret);
      learned.seq = rows.at(-1)?.seq ?? learned.seq;
      await yieldToOthers();
    }
  }

  return {
    async of(session) {
      const learned: Learned = sessions.get(session.n) ?? {
        seq: 0,
        values: new Map(),
        running: Promise.resolve(),
      };
      sessions.delete(session.n);
      sessions.set(session.n, learned);
      const [oldest] = sessions.keys();
      if (sessions.size > REMEMBERED && oldest !== undefined) sessions.delete(oldest);
      if (learned.seq < session.seq) {
        const before = learned.running;
        learned.running = before.catch(() => undefined).then(() => learn(session, learned));
      }
      await learned.running;
      return [...learned.values.values()].slice(-MOST_VALUES);
    },
  };
}
