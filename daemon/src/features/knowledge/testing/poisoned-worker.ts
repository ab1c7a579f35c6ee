import { parentPort } from 'node:worker_threads';
import { type ExtractionReply, type ExtractionRequest, LOADED } from '../background-extractor.ts';
import { loadExtractor } from '../extract.ts';

// The thread as it is, but for texts that make it hang, break, end or fill its memory, as a rule with a mistake would.
const extract = await loadExtractor();
parentPort?.postMessage({ id: LOADED, facts: [] } satisfies ExtractionReply);

parentPort?.on('message', ({ id, sources }: ExtractionRequest) => {
  const facts = sources.map((source) => {
    if (source.value.includes('HANGS')) for (;;);
    if (source.value.includes('ENDS')) process.exit(3);
    if (source.value.includes('BREAKS')) throw new Error('broken on purpose');
    if (source.value.includes('FILLS'))
      for (const all: unknown[] = []; ; all.push(new Array(1e4).fill(all.length)));
    return source.value.includes('FAILS') ? null : extract(source);
  });
  parentPort?.postMessage({ id, facts } satisfies ExtractionReply);
});
