import { readMeta, saveMeta } from '../../../db/meta.store.ts';
import type { ReadDb, Store } from '../../../db/open-store.ts';
import type { BackgroundEmbedder } from '../../../models/background-embedder.ts';
import type { Embedder, WeightedText } from '../../../models/embedder.ts';
import { turnOfOnesOwn } from '@reverie/shared/time/turns';
import type { Clock, Stop } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import { AT_A_TIME_MS } from '../../../platform/yielding.ts';
import { contextOf, createCutter, type Cut, embeddedParts, indexedOf } from '../index/index.service.ts';
import {
  namespaceOfChunk,
  releaseWithheld,
  requeueOtherModels,
  saveVector,
  type WaitingChunk,
  waitingChunks,
  withheldNamespaces,
  withholdChunk,
} from '../index/index.store.ts';
import type { Recutting } from '../index/recutting.ts';
import type { Segments } from './segments.ts';

export interface QueueDeps {
  store: Store;
  clock: Clock;
  log: Log;
  /** Whose vectors are wanted; a server's model may turn out to be another one while this runs. */
  embedder: Pick<Embedder, 'model' | 'isRemote'>;
  background: BackgroundEmbedder;
  segments: Segments;
  /** Comes first: a waiting chunk's text is known by how its memory is cut now. */
  recutting: Pick<Recutting, 'step'>;
  /** Whether what makes vectors may see a namespace: what it may not see is never sent, and is found by its words alone. */
  mayEmbed: (db: ReadDb, namespaceId: number) => boolean;
}

/** Chunks that are sent to the thread together and saved in one transaction. */
const SLICE = 64;
const REQUEUE_SLICE = 2000;
/** After so long what failed is tried again, where the embedder does not say when, in ms. */
const RETRY = 30_000;
/** Where the database says which model made its vectors, once no other's are left. */
const ADOPTED = 'embedder';

/**
 * Makes the vectors that writes left for later: of long texts, and of all texts after a change of
 * model. The queue is the table itself (`chunks.model IS NULL`), so a crash loses nothing of it.
 */
export interface EmbeddingQueue {
  wake(): void;
  /** Another model makes the vectors, or may see other namespaces than before: what was withheld from it is looked at again. */
  audienceChanged(): void;
  /** Puts vectors of other models back into the queue; call once, when the server listens. */
  adoptModel(): Promise<void>;
  stop: Stop;
}

export function createEmbeddingQueue(deps: QueueDeps): EmbeddingQueue {
  const { store, background, clock, log, embedder, recutting } = deps;
  let state: 'idle' | 'running' | 'stopped' = 'idle';
  let failedAt: number | undefined;
  let adopted: string | undefined;
  // What a server might not see before the last end of Reverie it may see now.
  let isToRelease = true;
  const cut = createCutter();

  async function run(): Promise<void> {
    // Nor does each write start anew what has just failed.
    if (state !== 'idle' || (failedAt !== undefined && clock.now() < (background.retryAt?.() ?? 0))) return;
    state = 'running';
    try {
      // Not in the write that asked for it: its reply goes out first.
      do await turn();
      while (state === 'running' && (await step()));
      failedAt = undefined;
    } catch (err) {
      // A full disk, say, or a server that is down: the chunks stay in the queue, and it is tried again.
      if (!isStopped() && failedAt === undefined)
        log.warn(
          { err: err instanceof Error ? err.message : err },
          'vectors could not be made; search finds these texts by words meanwhile',
        );
      failedAt = clock.now();
    } finally {
      background.rest();
      if (!isStopped()) state = 'idle';
    }
  }

  /** Does a little of what is to do; false where nothing is left. */
  async function step(): Promise<boolean> {
    if (recutting.step()) {
      await turn();
      return true;
    }
    // Before it is known that the model is there, no vector of another one is given up.
    await background.ready?.();
    if (isToAdopt()) return adopt(embedder.model);
    if (isToRelease) {
      release();
      await turn();
      return true;
    }
    await turn();
    if (isStopped()) return false;
    // Another model may have come while this was under way.
    return (await embedSlice(deps, { cut, isStopped })) > 0 || isToAdopt();
  }

  const isToAdopt = () => adopted !== undefined && adopted !== embedder.model;

  function adopt(model: string): boolean {
    store.write((db) => {
      const requeued = readMeta(db, ADOPTED) === model ? 0 : requeueOtherModels(db, model, REQUEUE_SLICE);
      if (requeued > 0) return;
      saveMeta(db, ADOPTED, model);
      adopted = model;
    });
    return true;
  }

  function release(): void {
    store.write((db) => {
      const open = withheldNamespaces(db).find((id) => deps.mayEmbed(db, id));
      if (open === undefined) isToRelease = false;
      else releaseWithheld(db, open, REQUEUE_SLICE);
    });
  }

  function isStopped(): boolean {
    return state === 'stopped';
  }

  // What failed is tried again when it may be; a model that turned out to be another one is adopted.
  const timer = clock.every(1000, () => {
    const isDue = failedAt !== undefined && clock.now() >= (background.retryAt?.() ?? failedAt + RETRY);
    if (isDue || isToAdopt()) void run();
  });

  return {
    wake: () => void run(),
    audienceChanged() {
      isToRelease = true;
      // What is on its way to a server may be what it may not see any more.
      if (embedder.isRemote) background.rest();
      void run();
    },
    async adoptModel() {
      // Looking for other models' vectors reads all vectors: not before the server listens, nor at every start.
      await turn();
      adopted = store.read((db) => readMeta(db, ADOPTED)) ?? '';
      await run();
    },
    stop() {
      state = 'stopped';
      timer.stop();
      background.rest();
    },
  };
}

/** Lets other requests through between two slices, and other work that gives way. */
const turn = turnOfOnesOwn;

/** Some waiting chunks with what their vectors are made of: as many as are read in a turn. */
function nextSlice(db: ReadDb, { embedder, mayEmbed }: Pick<QueueDeps, 'embedder' | 'mayEmbed'>, cut: Cut) {
  const until = performance.now() + AT_A_TIME_MS;
  const waiting: (WaitingChunk & { parts: readonly WeightedText[] })[] = [];
  const withheld: WaitingChunk[] = [];
  for (const chunk of waitingChunks(db, SLICE)) {
    if (mayEmbed(db, namespaceOfChunk(chunk.id))) {
      const { row, chunk: piece } = cut(db, chunk);
      const context = contextOf(db, indexedOf(row, chunk.account));
      waiting.push({ ...chunk, parts: embeddedParts(piece, context, embedder) });
    } else withheld.push(chunk);
    if (performance.now() >= until) break;
  }
  return { waiting, withheld };
}

/**
 * Embeds some waiting chunks; answers how many. A chunk that was replaced meanwhile is gone under its id,
 * which is never used again, so a vector cannot meet another text.
 */
async function embedSlice(
  deps: QueueDeps,
  { cut, isStopped }: { cut: Cut; isStopped: () => boolean },
): Promise<number> {
  const { store, background, segments, embedder } = deps;
  const { waiting, withheld } = store.read((db) => nextSlice(db, deps, cut));
  if (withheld.length > 0)
    store.write((db) => {
      for (const { id } of withheld) withholdChunk(db, id);
    });
  if (waiting.length === 0) return withheld.length;
  const { model } = embedder;
  const vectors = await background.encode(waiting.map(({ parts }) => parts)).catch((cause: unknown) => {
    if (embedder.model === model) throw cause;
    return undefined;
  });
  if (isStopped()) return 0;
  // Another model is used since: these vectors are not its own, and the texts still wait.
  if (!vectors || embedder.model !== model) return waiting.length;
  store.write((db) => {
    for (const [index, { id, memory_id: memoryId }] of waiting.entries()) {
      const vector = vectors[index];
      if (!vector) throw new Error('The embedding thread answered fewer vectors than it got texts');
      if (saveVector(db, id, { model, ...vector }))
        db.afterCommit(() => segments.add({ id, memoryId }, vector.data, vector.scale));
    }
  });
  return waiting.length;
}
