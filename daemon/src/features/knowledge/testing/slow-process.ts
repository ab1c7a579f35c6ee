import { setTimeout } from 'node:timers/promises';
import { loadExtractor } from '../extract.ts';
import { serveExtractor } from '../extraction-host.ts';

// The process as it is, on a machine where loading takes long.
serveExtractor(async () => {
  await setTimeout(4_000);
  return loadExtractor();
});
