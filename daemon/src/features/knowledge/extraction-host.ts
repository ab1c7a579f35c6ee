import { Script } from 'node:vm';
import { type ExtractionReply, type ExtractionRequest, LOADED } from './background-extractor.ts';
import type { Extract } from './extract.ts';

/**
 * Answers batches in the process that `background-extractor.ts` starts, until the daemon is gone. A rule that never ends is broken off
 * after the milliseconds in the first argument, for while it runs the process does not hear that the daemon has ended.
 */
export function serveExtractor(load: () => Promise<Extract>): void {
  const limit = Number(process.argv[2]);
  const say = (reply: ExtractionReply) => process.send?.(reply);
  let extract: Extract | undefined;
  let waiting: ExtractionRequest[] = [];
  const work = () => {
    const batch = waiting;
    waiting = [];
    for (const { id, sources } of batch)
      say({ id, facts: sources.map((source) => factsOf(extract, source)) });
  };
  // Only a script can be broken off, and it finds nothing but what is global.
  Object.assign(globalThis, { findWaitingFacts: work });
  const script = new Script('findWaitingFacts()');
  process.on('disconnect', () => process.exit());
  // Ctrl+C and a stopped service reach all processes: the daemon ends this one, else a text on which it is at work would seem to be to blame.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('message', (request: ExtractionRequest) => {
    waiting.push(request);
    if (extract) script.runInThisContext({ timeout: limit });
  });
  load().then(
    (loaded) => {
      extract = loaded;
      say({ id: LOADED, facts: [] });
      script.runInThisContext({ timeout: limit });
    },
    (cause: unknown) =>
      say({ id: LOADED, facts: [], failed: cause instanceof Error ? cause.message : String(cause) }),
  );
}

/** Null where a text makes a rule fail: the other memories of the batch have their facts all the same, and the queue tells of this one. */
function factsOf(extract: Extract | undefined, source: ExtractionRequest['sources'][number]) {
  try {
    return extract?.(source) ?? null;
  } catch {
    return null;
  }
}
