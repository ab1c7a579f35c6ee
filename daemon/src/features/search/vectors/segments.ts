import { setImmediate } from 'node:timers/promises';
import type { ReadDb, Store } from '../../../db/open-store.ts';
import type { CutTexts } from '../index/cut-texts.ts';
import { createAccountVectors, type Several } from '../everywhere/account-vectors.ts';
import { chunkRange } from '../index/index.store.ts';
import { AT_ONCE, emptySegment, fillSegment, isCurrent, type Segment } from './segment.ts';
import type { ChunkOf, VectorIndex } from './vectors.ts';

/** Bytes of vectors that are held in memory at most: 200,000 chunks and a little. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The vectors of the namespaces that were searched last, in memory; loaded on the first search. */
export interface Segments {
  /** Loads them at once where they are not there. */
  of(db: ReadDb, namespaceId: number): VectorIndex;
  /** Loads a large namespace piece by piece, so that nobody waits for it but who searches there; `of` has it then. */
  load(store: Pick<Store, 'read'>, namespaceId: number): Promise<void>;
  /** The same for several namespaces of an account; what is found may be of others of it that were searched before. */
  ofSeveral(db: ReadDb, at: Several): VectorIndex;
  loadSeveral(store: Pick<Store, 'read'>, at: Several): Promise<void>;
  /** Follows a committed change; does nothing for a namespace that is not loaded. */
  add(chunk: ChunkOf, data: Int8Array, scale: number): void;
  remove(id: number): void;
  drop(namespaceId: number): void;
}

/** `texts` is told, too, what is to be forgotten, so that nothing of a deleted text stays in memory. */
export function createSegments(
  embedder: { model: string; dimensions: number },
  texts?: Pick<CutTexts, 'forget' | 'forgetNamespace'>,
): Segments {
  // A Map keeps the order of use: what is asked for is put at the end again.
  const loaded = new Map<number, Segment>();
  const several = createAccountVectors(embedder);
  /** Those that are read piece by piece at present: what is written meanwhile is told to them, too. */
  const loading = new Map<number, { of: Segment; done: Promise<void> }>();

  function* at(chunkId: number): Generator<VectorIndex> {
    const isThere = (namespaceId: number) => {
      const { from, to } = chunkRange(namespaceId);
      return chunkId >= from && chunkId <= to;
    };
    for (const [namespaceId, { vectors }] of loaded) if (isThere(namespaceId)) yield vectors;
    for (const [namespaceId, { of }] of loading) if (isThere(namespaceId)) yield of.vectors;
  }

  async function loadInPieces(store: Pick<Store, 'read'>, namespaceId: number, segment: Segment) {
    let after: number | undefined;
    do {
      const piece = { ...(after !== undefined && { after }), limit: AT_ONCE };
      after = store.read((db) => fillSegment(db, segment, { namespaceId, ...piece }));
      if (after !== undefined) await setImmediate();
      // Dropped meanwhile, or of a model that is used no more: the next search reads what is there then.
    } while (after !== undefined && loading.get(namespaceId)?.of === segment && isCurrent(embedder, segment));
    if (loading.get(namespaceId)?.of !== segment) return;
    loading.delete(namespaceId);
    if (!isCurrent(embedder, segment) || isCurrent(embedder, loaded.get(namespaceId))) return;
    loaded.set(namespaceId, segment);
    makeRoom();
  }

  function makeRoom(): void {
    let bytes = 0;
    for (const { vectors } of loaded.values()) bytes += vectors.bytes;
    for (const [namespaceId, { vectors }] of loaded) {
      if (bytes <= MAX_BYTES || loaded.size === 1) return;
      loaded.delete(namespaceId);
      bytes -= vectors.bytes;
    }
  }

  return {
    of(db, namespaceId) {
      let segment = loaded.get(namespaceId);
      loaded.delete(namespaceId);
      if (!isCurrent(embedder, segment)) {
        segment = emptySegment(embedder);
        fillSegment(db, segment, { namespaceId });
      }
      loaded.set(namespaceId, segment);
      makeRoom();
      return segment.vectors;
    },
    async load(store, namespaceId) {
      if (isCurrent(embedder, loaded.get(namespaceId))) return;
      let under = loading.get(namespaceId);
      if (!under) {
        const segment = emptySegment(embedder);
        under = { of: segment, done: Promise.resolve() };
        loading.set(namespaceId, under);
        under.done = loadInPieces(store, namespaceId, segment).finally(() => {
          if (loading.get(namespaceId)?.of === segment) loading.delete(namespaceId);
        });
      }
      await under.done;
    },
    ofSeveral: several.of,
    loadSeveral: several.load,
    add(chunk, data, scale) {
      several.add(chunk, data, scale);
      for (const vectors of at(chunk.id))
        if (vectors.dimensions === data.length) vectors.add(chunk, data, scale);
    },
    remove(id) {
      several.remove(id);
      for (const vectors of at(id)) vectors.remove(id);
      texts?.forget(id);
    },
    drop(namespaceId) {
      several.drop(namespaceId);
      loaded.delete(namespaceId);
      loading.delete(namespaceId);
      texts?.forgetNamespace(namespaceId);
    },
  };
}
