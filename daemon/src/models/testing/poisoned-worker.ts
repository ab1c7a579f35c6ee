import fs from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type EmbeddingReply, type EmbeddingRequest, LOADED } from '../background-embedder.ts';

// A thread whose vectors are of two numbers, and which hangs on some texts, or ends.
Atomics.store(workerData as Int32Array, 0, 2);
parentPort?.postMessage({ id: LOADED, vectors: [] } satisfies EmbeddingReply);
parentPort?.on('message', ({ id, texts }: EmbeddingRequest) => {
  const vectors = texts.map(([own]) => {
    if (own?.text.includes('HANGS')) for (;;);
    // As where all of it stood still for a while: not again where the folder is there.
    const [, folder] = /^ONCE (.+)$/.exec(own?.text ?? '') ?? [];
    if (folder !== undefined && fs.mkdirSync(folder, { recursive: true }) !== undefined) for (;;);
    if (own?.text.includes('ENDS')) process.exit(3);
    return { data: Int8Array.from([127, 0]), scale: 1 / 127 };
  });
  parentPort?.postMessage({ id, vectors } satisfies EmbeddingReply);
});
