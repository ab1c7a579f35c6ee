import { parentPort } from 'node:worker_threads';
import { z } from 'zod';
import { isReadable } from './admission.ts';

const Bodies = z.array(z.instanceof(Uint8Array));

parentPort?.on('message', (given: unknown) => {
  parentPort?.postMessage(Bodies.parse(given).map((body) => isReadable({ enc: false, body })));
});
