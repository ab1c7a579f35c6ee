import type { AccountId } from '@reverie/shared/accounts/caller';
import type { ReadDb, Store } from '../../../db/open-store.ts';
import { createYielding } from '../../../platform/yielding.ts';
import { namespaceOfChunk } from '../index/index.store.ts';
import { AT_ONCE, emptySegment, fillSegment, isCurrent, type Segment } from '../vectors/segment.ts';
import type { ChunkOf, VectorIndex } from '../vectors/vectors.ts';

/** Bytes of vectors that are held for searches of everything; those of the account that searched last stay, however many. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Namespaces of an account that are looked at together. */
export interface Several {
  readonly account: AccountId;
  readonly ids: readonly number[];
}

/**
 * The vectors of several namespaces of an account in one index, for a search of everything: a thousand small ones, each in memory of its
 * own, take 64 MiB and a thousand calls.
 */
export interface AccountVectors {
  /** Loads at once what is not there. */
  of(db: ReadDb, at: Several): VectorIndex;
  /** Loads it piece by piece, so that nobody waits for it but who searches there. */
  load(store: Pick<Store, 'read'>, at: Several): Promise<void>;
  /** Follows a committed change. */
  add(chunk: ChunkOf, data: Int8Array, scale: number): void;
  remove(id: number): void;
  drop(namespaceId: number): void;
}

interface Held {
  readonly segment: Segment;
  /** Namespaces that are in it, or are being loaded. */
  readonly covers: Set<number>;
  /** What is being loaded. */
  loading: Promise<void>;
}

export function createAccountVectors(embedder: { model: string; dimensions: number }): AccountVectors {
  // A Map keeps the order of use: what is asked for is put at the end again.
  const held = new Map<AccountId, Held>();

  function take(account: AccountId): Held {
    const before = held.get(account);
    const one =
      before && isCurrent(embedder, before.segment)
        ? before
        : { segment: emptySegment(embedder), covers: new Set<number>(), loading: Promise.resolve() };
    held.delete(account);
    held.set(account, one);
    return one;
  }

  function makeRoom(): void {
    let bytes = 0;
    for (const { segment } of held.values()) bytes += segment.vectors.bytes;
    for (const [account, { segment }] of held) {
      if (bytes <= MAX_BYTES || held.size === 1) return;
      held.delete(account);
      bytes -= segment.vectors.bytes;
    }
  }

  async function loadMissing(store: Pick<Store, 'read'>, one: Held, ids: readonly number[]): Promise<void> {
    const yieldToOthers = createYielding();
    for (const namespaceId of ids) {
      if (one.covers.has(namespaceId)) continue;
      // First: what is written meanwhile is told to it, too.
      one.covers.add(namespaceId);
      try {
        let after: number | undefined;
        do {
          const piece = { namespaceId, limit: AT_ONCE, ...(after !== undefined && { after }) };
          after = store.read((db) => fillSegment(db, one.segment, piece));
          await yieldToOthers();
          // Dropped meanwhile: the next search reads what is there then.
        } while (after !== undefined && one.covers.has(namespaceId) && isCurrent(embedder, one.segment));
      } catch (cause) {
        one.covers.delete(namespaceId);
        throw cause;
      }
    }
  }

  return {
    of(db, { account, ids }) {
      const one = take(account);
      for (const namespaceId of ids) {
        if (one.covers.has(namespaceId)) continue;
        one.covers.add(namespaceId);
        fillSegment(db, one.segment, { namespaceId });
      }
      makeRoom();
      return one.segment.vectors;
    },
    async load(store, { account, ids }) {
      const one = take(account);
      // What failed before is tried again.
      one.loading = one.loading.catch(() => undefined).then(() => loadMissing(store, one, ids));
      await one.loading;
    },
    add(chunk, data, scale) {
      const namespaceId = namespaceOfChunk(chunk.id);
      for (const { covers, segment } of held.values())
        if (covers.has(namespaceId) && segment.vectors.dimensions === data.length)
          segment.vectors.add(chunk, data, scale);
    },
    remove(id) {
      for (const { segment } of held.values()) segment.vectors.remove(id);
    },
    drop(namespaceId) {
      for (const { covers, segment } of held.values())
        if (covers.delete(namespaceId))
          segment.vectors.removeWhere((id) => namespaceOfChunk(id) === namespaceId);
    },
  };
}
