import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { ApiError } from '@reverie/shared/client';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Clock } from '../clock.ts';
import { createStore } from '../store.ts';
import { changedSince, privateIn, worthKeeping } from './worth-keeping.ts';

/** An answer as it was last. */
interface Seen {
  hash: string;
  key: QueryKey;
  namespace: string;
  data: unknown;
  /** Characters of it as JSON. */
  size: number;
  /** When it was fetched, ms since 1970. */
  at: number;
}

interface LastSeenDb extends DBSchema {
  seen: { key: string; value: Seen };
  /** Under 0: by which build of the page it was written, and for whom. */
  about: { key: number; value: { build: string; whose: string } };
}

const NAME = 'reverie.last-seen';
const MOST = 200;
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** A single answer that is longer is fetched again instead. */
const LONGEST = 256 * 1024;
const KEPT_MS = 7 * 86_400_000;
/** Longer than any answer is taken to be as it is now, ms. */
const STALE_MS = 60_000;
const WRITTEN_AFTER_MS = 300;
/** How long the first view waits for what was seen last, ms. */
const PATIENCE_MS = 250;
const NAMESPACES: QueryKey = ['namespaces'];

/** Whether what was seen last is there, as far as it will be. */
export const isRestored = createStore(false);

interface LastSeenDeps {
  client: QueryClient;
  clock: Clock;
  /** Tells builds of the page apart: another one may read answers otherwise. */
  build: string;
}

/**
 * Keeps the last answers of lists, of what was read and of Today in this browser, so that they are shown at once on the next visit and then
 * fetched again. Where the browser keeps nothing the page does without.
 */
export function createLastSeen({ client, clock, build }: LastSeenDeps) {
  /** How long each entry is, and when it was fetched, by its hash. */
  const entries = new Map<string, Pick<Seen, 'namespace' | 'size' | 'at'>>();
  const fresh = new Map<string, Query>();
  /** How often was forgotten until a fetch began, and until a namespace was: what began before is not written after it. */
  const begun = new Map<string, number>();
  const forgotten = new Map<string, number>();
  let forgets = 0;
  let db: Promise<IDBPDatabase<LastSeenDb> | undefined> | undefined;
  let whose: string | undefined;
  /** The namespaces as they were last; `isBack` once what was kept has been read. */
  let before: unknown;
  let isBack = false;
  let secret: ReadonlySet<string> | undefined;
  let cancel: (() => void) | undefined;
  /** Follow each other, so that what is forgotten stays so. */
  let turn: Promise<unknown> = Promise.resolve();

  const withDb = (run: (database: IDBPDatabase<LastSeenDb>) => Promise<unknown>) => {
    turn = turn.then(async () => {
      db ??= opened();
      const database = await db;
      // A disk that is full, or a browser that has just thrown everything away: the page does without.
      if (database) await run(database).catch(() => undefined);
    });
    return turn;
  };

  const empty = () => {
    entries.clear();
    return withDb(async (database) => {
      await Promise.all([database.clear('seen'), database.clear('about')]);
    });
  };

  const drop = (isMeant: (entry: Pick<Seen, 'namespace' | 'at'>, hash: string) => boolean) => {
    const hashes = [...entries].flatMap(([hash, entry]) => (isMeant(entry, hash) ? [hash] : []));
    for (const hash of hashes) entries.delete(hash);
    if (hashes.length === 0) return;
    void withDb(async (database) => {
      const { store, done } = database.transaction('seen', 'readwrite');
      await Promise.all([...hashes.map((hash) => store.delete(hash)), done]);
    });
  };

  const restore = (seen: readonly Seen[]) => {
    const now = clock.now();
    const known = secret === undefined ? undefined : client.getQueryData(NAMESPACES);
    before = seen.find(({ hash }) => hash === JSON.stringify(NAMESPACES))?.data;
    for (const { hash, key, namespace, data, size, ...fetched } of seen) {
      if (entries.has(hash)) continue;
      // However lately it was fetched, it is fetched again.
      const at = Math.min(fetched.at, now - STALE_MS);
      entries.set(hash, { namespace, size, at });
      const isKept = now - at <= KEPT_MS && !forgotten.has(namespace);
      if (isKept && client.getQueryData(key) === undefined) client.setQueryData(key, data, { updatedAt: at });
    }
    isBack = true;
    drop(({ namespace, at }) => now - at > KEPT_MS || forgotten.has(namespace));
    if (known !== undefined) dropChanged(known);
  };

  /** What was deleted while no page was open is in no event that this one hears. */
  const dropChanged = (namespaces: unknown) => {
    const changed = before === undefined ? undefined : changedSince(before, namespaces);
    if (changed?.size === 0) return;
    drop(({ namespace }) => !changed || changed.has(namespace) || namespace === EVERY_NAMESPACE);
  };

  const write = () => {
    cancel = undefined;
    // Without the namespaces it is not known which of them are private.
    if (whose === undefined || secret === undefined) return;
    const isPrivate = (namespace: string) => secret?.has(namespace) === true;
    const kept: Seen[] = [];
    for (const [hash, { queryKey: key, state }] of fresh) {
      const isOld = clock.now() - state.dataUpdatedAt > KEPT_MS;
      const worth = state.isInvalidated || isOld ? undefined : worthKeeping(key, state.data, isPrivate);
      if (!worth) continue;
      const size = JSON.stringify(worth.data).length;
      if (size <= LONGEST) kept.push({ hash, key, ...worth, size, at: state.dataUpdatedAt });
    }
    const gone = [...fresh.keys()].filter((hash) => !kept.some((one) => one.hash === hash));
    fresh.clear();
    for (const { hash, namespace, size, at } of kept) entries.set(hash, { namespace, size, at });
    const about = { build, whose };
    void withDb(async (database) => {
      const writing = database.transaction(['seen', 'about'], 'readwrite');
      const store = writing.objectStore('seen');
      // What was forgotten since is gone from `entries`.
      const still = kept.filter(({ hash, at }) => entries.get(hash)?.at === at);
      await Promise.all([
        writing.objectStore('about').put(about, 0),
        ...still.map((one) => store.put(one)),
        writing.done,
      ]);
    });
    drop((_, hash) => gone.includes(hash));
    prune();
  };

  /** The oldest go where there are more than there is room for. */
  const prune = () => {
    let [count, characters] = [0, 0];
    const over = new Set<string>();
    for (const [hash, { size }] of [...entries].toSorted(([, a], [, b]) => b.at - a.at)) {
      count += 1;
      characters += size;
      if (count > MOST || characters > MOST_CHARACTERS) over.add(hash);
    }
    if (over.size > 0) drop((_, hash) => over.has(hash));
  };

  const forget = (namespaces: Iterable<string>) => {
    forgets += 1;
    const gone = new Set([...namespaces, EVERY_NAMESPACE]);
    for (const one of gone) forgotten.set(one, forgets);
    for (const [hash, { queryKey }] of fresh) if (gone.has(namespaceOf(queryKey))) fresh.delete(hash);
    drop(({ namespace }) => gone.has(namespace));
  };

  const knowNamespaces = (data: unknown) => {
    const now = privateIn(data);
    if (!now) return;
    const hidden = [...now].filter((one) => secret?.has(one) !== true);
    if (secret !== undefined && hidden.length > 0) forget(hidden);
    if (secret === undefined && isBack) dropChanged(data);
    secret = now;
  };

  const cache = client.getQueryCache();
  cache.subscribe((event) => {
    // Asked for by its hash it has the types of what is not known.
    const query = cache.get(event.query.queryHash);
    if (event.type !== 'updated' || whose === undefined || !query) return;
    const { action } = event;
    const { queryHash: hash, queryKey, state } = query;
    if (action.type === 'fetch') begun.set(hash, forgets);
    if (action.type === 'error' && action.error instanceof ApiError && action.error.status === 404)
      drop((_, one) => one === hash);
    // What was just brought back is there already.
    if (action.type !== 'success' || entries.get(hash)?.at === state.dataUpdatedAt) return;
    if (hash === JSON.stringify(NAMESPACES)) knowNamespaces(state.data);
    if ((begun.get(hash) ?? forgets) < (forgotten.get(namespaceOf(queryKey)) ?? 0)) return;
    fresh.set(hash, query);
    cancel ??= clock.after(WRITTEN_AFTER_MS, write);
  });

  const stop = () => {
    cancel?.();
    cancel = undefined;
    fresh.clear();
    begun.clear();
    forgotten.clear();
    [whose, before, secret, isBack] = [undefined, undefined, undefined, false];
  };

  return {
    /** Begins to keep what this person sees, and brings back what they saw last; undefined is somebody of whom nothing is kept. */
    open(of: string | undefined): void {
      // Another token of the same person: what is shown stays.
      if (of === whose && isRestored.get()) return;
      stop();
      isRestored.set(false);
      whose = of;
      const ready = () => isRestored.set(true);
      clock.after(PATIENCE_MS, ready);
      void withDb(async (database) => {
        const about = await database.get('about', 0);
        isBack = true;
        if (of === undefined || about?.whose !== of || about.build !== build)
          await Promise.all([database.clear('seen'), database.clear('about')]);
        else {
          const seen = await database.getAll('seen');
          if (whose === of) restore(seen);
        }
      }).then(ready);
    },
    /** Something in these namespaces is gone, or not as it was: nothing of them is kept until it is fetched again. */
    forget,
    /** Nothing is kept any more, and nothing stays. */
    close(): void {
      stop();
      isRestored.set(true);
      void empty();
    },
  };
}

function namespaceOf([kind, second]: QueryKey): string {
  return kind === 'memories' ? String(second) : EVERY_NAMESPACE;
}

async function opened(): Promise<IDBPDatabase<LastSeenDb> | undefined> {
  try {
    return await openDB<LastSeenDb>(NAME, 1, {
      upgrade(database) {
        database.createObjectStore('seen', { keyPath: 'hash' });
        database.createObjectStore('about');
      },
    });
  } catch {
    // Private windows of some browsers have no such database.
    return undefined;
  }
}
