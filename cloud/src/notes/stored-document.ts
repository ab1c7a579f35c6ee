import * as Y from 'yjs';

/** A Yjs document that tells of nothing before it is on disk. */
export interface StoredDocument<C> {
  /** Takes an update of a connection. What is no update, or too much, changes nothing. */
  take(from: C, update: Uint8Array): 'taken' | 'invalid' | 'too_large';
  /** What somebody with a state vector does not have, all of it on disk. Throws where it is none. */
  since(stateVector: Uint8Array): Uint8Array;
  stateVector(): Uint8Array;
  /** Whether updates wait for one that did not come. */
  hasGap(): boolean;
  /** Stores what waits, and tells of it. Throws where the disk does not take it. */
  flush(): void;
  /** Stores what waits and puts the whole in the place of its updates; the document is of no use afterwards. */
  close(): void;
}

export interface StoredDocumentDeps<C> {
  stored: readonly Uint8Array[];
  /** Adds to what is stored; on disk when it returns. */
  add(updates: readonly Uint8Array[]): void;
  replace(whole: Uint8Array): void;
  /** Told of updates that are on disk, with whom each came from. */
  tell(updates: readonly { from: C; update: Uint8Array }[]): void;
  /** Something waits to be flushed. */
  wake(): void;
  /** Told of a stored update that cannot be read; it stays where it is. */
  broken(cause: unknown): void;
}

/** What a shared document may take, and how many updates of it are kept before the whole takes their place. */
export const MOST_BYTES = 8 * 1024 * 1024;
const MOST_UPDATES = 500;

export function openDocument<C>(deps: StoredDocumentDeps<C>): StoredDocument<C> {
  const doc = new Y.Doc();
  let waiting: { from: C; update: Uint8Array }[] = [];
  let bytes = 0;
  let count = 0;
  let isReadable = true;

  for (const update of deps.stored) {
    try {
      Y.applyUpdate(doc, update);
    } catch (cause) {
      isReadable = false;
      deps.broken(cause);
    }
    bytes += update.length;
    count += 1;
  }

  function flush(): void {
    if (waiting.length === 0) return;
    const news = waiting;
    waiting = [];
    deps.add(news.map(({ update }) => update));
    for (const { update } of news) bytes += update.length;
    count += news.length;
    deps.tell(news);
    if (count > MOST_UPDATES) compact();
  }

  function compact(): void {
    if (!isReadable || count < 2) return;
    const whole = Y.encodeStateAsUpdate(doc);
    deps.replace(whole);
    bytes = whole.length;
    count = 1;
  }

  return {
    take(from, given) {
      // A copy: the decoder looks for the end of the buffer below, and what waits must not change.
      const update = Uint8Array.from(given);
      try {
        Y.decodeUpdate(update);
      } catch {
        return 'invalid';
      }
      if (bytes + update.length > MOST_BYTES) {
        flush();
        compact();
        if (bytes + update.length > MOST_BYTES) return 'too_large';
      }
      const listen = (news: Uint8Array) => void waiting.push({ from, update: news });
      // Told only where something is new: a client that comes again says all that it has.
      doc.on('update', listen);
      try {
        Y.applyUpdate(doc, update, from);
      } catch {
        return 'invalid';
      } finally {
        doc.off('update', listen);
      }
      if (waiting.length > 0) deps.wake();
      return 'taken';
    },
    since(stateVector) {
      flush();
      return Y.encodeStateAsUpdate(doc, Uint8Array.from(stateVector));
    },
    stateVector: () => Y.encodeStateVector(doc),
    hasGap: () => doc.store.pendingStructs !== null,
    flush,
    close() {
      flush();
      compact();
      doc.destroy();
    },
  };
}
