import { parentPort, workerData } from 'node:worker_threads';
import { type ExtractionReply, type ExtractionRequest, LOADED } from '../background-extractor.ts';
import { loadExtractor } from '../extract.ts';

// The thread as it is, but for texts that make it hang, break or end, as a rule with a mistake would.
const extract = await loadExtractor();
Atomics.store(workerData as Int32Array, 0, 1);
parentPort?.postMessage({ id: LOADED, facts: [] } satisfies ExtractionReply);

parentPort?.on('message', ({ id, sources }: ExtractionRequest) => {
  const facts = sources.map((source) => {
    if (source.value.includes('HANGS')) for (;;);
    if (source.value.includes('ENDS')) process.exit(3);
    if (source.value.includes('BREAKS')) throw new Error('broken on purpose');
    return source.value.includes('FAILS') ? null : extract(source);
  });
  parentPort?.postMessage({ id, facts } satisfies ExtractionReply);
});
