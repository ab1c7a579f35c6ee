import { parentPort, workerData } from 'node:worker_threads';
import { type ExtractionReply, type ExtractionRequest, LOADED } from './background-extractor.ts';
import { loadExtractor } from './extract.ts';

// A thread of its own: the parsers take 2 ms for 250 bytes, during which requests are answered.
const extractor = loadExtractor();
void extractor.then(() => {
  Atomics.store(workerData as Int32Array, 0, 1);
  parentPort?.postMessage({ id: LOADED, facts: [] } satisfies ExtractionReply);
});

parentPort?.on('message', ({ id, sources }: ExtractionRequest) => {
  void extractor.then((extract) => {
    const facts = sources.map((source) => {
      try {
        return extract(source);
      } catch {
        // The other memories of the batch have their facts all the same; the queue tells of this one.
        return null;
      }
    });
    parentPort?.postMessage({ id, facts } satisfies ExtractionReply);
  });
});
