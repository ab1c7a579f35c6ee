/** A thread that asks a daemon for next to nothing, again and again, and tells how long the longest answer took: `hostile.ts` begins and ends it. */
import http from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

const { origin } = z.object({ origin: z.url() }).parse(workerData);
const agent = new http.Agent({ keepAlive: true });
const ask = () =>
  new Promise<void>((resolve, reject) => {
    http
      .get(`${origin}/v1/healthz`, { agent }, (response) => {
        response.resume().on('end', resolve);
      })
      .on('error', reject);
  });

let isAsking = false;
async function waitFor(): Promise<void> {
  let longest = 0;
  while (isAsking) {
    const from = performance.now();
    await ask();
    longest = Math.max(longest, performance.now() - from);
  }
  parentPort?.postMessage(longest);
}

parentPort?.on('message', (message: 'begin' | 'end') => {
  isAsking = message === 'begin';
  if (isAsking) void waitFor();
});
