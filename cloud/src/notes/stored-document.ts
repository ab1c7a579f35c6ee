import * as Y from 'yjs';

/** A Yjs document that tells of nothing before it is on disk. */
export interface StoredDocument<C> {
  /** Takes an update of a connection. What is no update, or too much, changes nothing. */
  take(from: C, update: Uint8Array): Promise<'taken' | 'invalid' | 'too_large'>;
  /** What somebody with a state vector does not have, all of it on disk. Rejects where it is none. */
  since(stateVector: Uint8Array): Promise<Uint8Array>;
  stateVector(): Uint8Array;
  /** Whether updates wait for one that did not come. */
  hasGap(): boolean;
  /** Stores what waits, and tells of it. Rejects where the disk does not take it. */
  flush(): Promise<void>;
  /** Stores what waits and puts the whole in the place of its updates; the document is of no use afterwards. */
  close(): Promise<void>;
}

export interface StoredDocumentDeps<C> {
  stored: readonly Uint8Array[];
  /** Adds to what is stored; on disk when it resolves. */
  add(updates: readonly Uint8Array[]): Promise<void>;
  replace(whole: Uint8Array): Promise<void>;
  /** Told of updates that are on disk, with whom each came from. */
  tell(updates: readonly { from: C; update: Uint8Array }[]): void;
  /** Something waits to be flushed. */
  wake(): void;
  /** Told of a stored update that cannot be read; it stays where it is. */
  broken(cause: unknown): void;
}

/** Bytes that a shared document may take; after `MOST_UPDATES` stored updates the whole document takes their place. */
export const MOST_BYTES = 8 * 1024 * 1024;
const MOST_UPDATES = 500;

export function openDocument<C>(deps: StoredDocumentDeps<C>): StoredDocument<C> {
  const doc = new Y.Doc();
  let waiting: { from: C; update: Uint8Array }[] = [];
  let bytes = 0;
  let count = 0;
  let isReadable = true;
  let writing: Promise<void> = Promise.resolve();

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

  /** One write after the other. */
  function flush(): Promise<void> {
    const written = writing.then(write);
    writing = written.catch(() => undefined);
    return written;
  }

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const news = waiting;
      waiting = [];
      await deps.add(news.map(({ update }) => update));
      for (const { update } of news) bytes += update.length;
      count += news.length;
      deps.tell(news);
    }
    if (count > MOST_UPDATES) await compact();
  }

  /** Within a write, or after the last one: what is added meanwhile would go with what is replaced. */
  async function compact(): Promise<void> {
    if (!isReadable || count < 2) return;
    const whole = Y.encodeStateAsUpdate(doc);
    await deps.replace(whole);
    bytes = whole.length;
    count = 1;
  }

  async function makeRoom(): Promise<void> {
    await flush();
    const compacted = writing.then(compact);
    writing = compacted.catch(() => undefined);
    await compacted;
  }

  return {
    async take(from, given) {
      // A copy: the decoder looks for the end of the buffer below, and what waits must not change.
      const update = Uint8Array.from(given);
      try {
        Y.decodeUpdate(update);
      } catch {
        return 'invalid';
      }
      if (bytes + update.length > MOST_BYTES) {
        await makeRoom();
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
    async since(stateVector) {
      do await flush();
      while (waiting.length > 0);
      return Y.encodeStateAsUpdate(doc, Uint8Array.from(stateVector));
    },
    stateVector: () => Y.encodeStateVector(doc),
    hasGap: () => doc.store.pendingStructs !== null,
    flush,
    async close() {
      await makeRoom();
      doc.destroy();
    },
  };
}
