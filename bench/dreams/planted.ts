import { join } from 'node:path';
import { z } from 'zod';
import { readJsonl } from '../retrieval/jsonl.ts';
import { kinds, type Planted } from './matching.ts';

/** The planted sets, each with the time at which its dreams dream. The second is the blind one; the first was looked at. */
export const plantedSets = {
  'planted-set': '2026-10-01T09:00:00Z',
  'planted-set-2': '2026-11-01T09:00:00Z',
} as const;
export type PlantedSet = keyof typeof plantedSets;

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

/** The memories of a planted set, and what is to be found in them. */
export function plantedSet(name: PlantedSet): { memories: z.output<typeof Memory>[]; planted: Planted } {
  const read = <T extends z.ZodType>(file: string, line: T) =>
    readJsonl(join(import.meta.dirname, name, `${file}.jsonl`), line);
  return {
    memories: read('memories', Memory),
    planted: {
      findings: read('findings', Finding),
      decoys: read('decoys', Line),
      acceptable: read('acceptable', Line),
    },
  };
}
