import { join } from 'node:path';
import { z } from 'zod';
import { readJsonl } from '../retrieval/jsonl.ts';
import { kinds, type Planted } from './matching.ts';

const FOLDER = join(import.meta.dirname, 'planted-set');

/** The time at which every dream of the set dreams. */
export const NOW = '2026-10-01T09:00:00Z';

const Kind = z.enum(kinds);
const Memory = z.object({
  key: z.string(),
  value: z.string(),
  created_at: z.string(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
const Finding = z.object({
  id: z.string(),
  kind: Kind,
  evidence: z.array(z.string()),
  detail: z.object({ date: z.string().optional() }),
});
const Line = z.object({
  kind: Kind,
  evidence: z.array(z.string()),
  why: z.string(),
  only: z.enum(['update', 'merge']).optional(),
  date: z.string().optional(),
});

/** The memories of the planted set, and what is to be found in them. */
export function plantedSet(): { memories: z.output<typeof Memory>[]; planted: Planted } {
  const read = <T extends z.ZodType>(name: string, line: T) => readJsonl(join(FOLDER, `${name}.jsonl`), line);
  return {
    memories: read('memories', Memory),
    planted: {
      findings: read('findings', Finding),
      decoys: read('decoys', Line),
      acceptable: read('acceptable', Line),
    },
  };
}
