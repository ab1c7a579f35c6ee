import { parentPort, workerData } from 'node:worker_threads';
import { type EmbeddingReply, type EmbeddingRequest, LOADED } from './background-embedder.ts';
import { encodeMixed, quantise } from './embedder.ts';
import { loadStaticTable } from './static-table.ts';

// A thread of its own: a text of 1 MiB takes a second, during which requests are answered.
const table = loadStaticTable();
Atomics.store(workerData as Int32Array, 0, table.dimensions);
parentPort?.postMessage({ id: LOADED, vectors: [] } satisfies EmbeddingReply);
parentPort?.on('message', ({ id, texts }: EmbeddingRequest) => {
  const vectors = texts.map((parts) => quantise(encodeMixed(table, parts)));
  parentPort?.postMessage({ id, vectors } satisfies EmbeddingReply);
});
