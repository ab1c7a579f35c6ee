import { Worker } from 'node:worker_threads';
import type { Verified } from './verify.ts';

/** Checks a database file off the main thread, which may take seconds. */
export function verifyInWorker(file: string): Promise<Verified> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./verify-worker.ts', import.meta.url), { workerData: { file } });
    worker.once('message', (verified: Verified) => {
      void worker.terminate();
      resolve(verified);
    });
    worker.once('error', reject);
  });
}
