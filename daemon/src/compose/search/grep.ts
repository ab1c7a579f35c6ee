import { grepRoutes } from '../../features/grep/grep.routes.ts';
import { createMatchers } from '../../features/grep/matching.ts';
import type { GrepTexts } from '../../features/grep/ports.ts';
import type { MemoryDeps } from '../../features/memories/deps.ts';
import { memoryTexts } from '../../features/memories/reading/reading.service.ts';
import type { Part } from '../parts.ts';

/** Joins grep with the texts of memories and of coding sessions. */
export function createGrep({ memories, entryTexts }: { memories: MemoryDeps; entryTexts: GrepTexts }): Part {
  const matchers = createMatchers();
  return {
    serve: ({ mount }) =>
      grepRoutes(mount, {
        matchers,
        texts: {
          async *memories(caller, wanted) {
            for await (const page of memoryTexts(memories, caller, wanted))
              yield page.map(({ namespace, key, value }) => ({ at: { namespace, key }, text: value }));
          },
          sessions: entryTexts,
        },
      }),
    stop: matchers.stop,
  };
}
