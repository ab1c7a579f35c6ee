import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { verifyDatabase } from './verify.ts';

// Off the main thread: checking 100,000 memories takes a second or two.
parentPort?.postMessage(verifyDatabase(z.object({ file: z.string() }).parse(workerData).file));
