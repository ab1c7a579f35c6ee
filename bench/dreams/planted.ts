import { join } from 'node:path';
import { z } from 'zod';
import { readJsonl } from '../retrieval/jsonl.ts';
import { kinds, type Planted } from './matching.ts';

/** The sets, each with the time at which its dreams dream. A blind one judges, and is not to be looked at; the others may be tuned on. */
export const plantedSets = {
  'planted-set': { now: '2026-10-01T09:00:00Z', isBlind: false },
  'planted-set-2': { now: '2026-11-01T09:00:00Z', isBlind: false },
  'planted-set-3': { now: '2026-11-15T09:00:00Z', isBlind: false },
  'planted-set-4': { now: '2026-11-15T09:00:00Z', isBlind: false },
  'planted-set-5': { now: '2026-11-20T09:00:00Z', isBlind: false },
  'planted-set-6': { now: '2026-11-20T09:00:00Z', isBlind: true },
  'planted-set-7': { now: '2026-11-20T09:00:00Z', isBlind: true },
  'development-set': { now: '2026-11-15T09:00:00Z', isBlind: false },
  'development-set-2': { now: '2026-11-15T09:00:00Z', isBlind: false },
  'development-set-3': { now: '2026-11-15T09:00:00Z', isBlind: false },
  'development-set-4': { now: '2026-11-15T09:00:00Z', isBlind: false },
  'development-set-5': { now: '2026-11-15T09:00:00Z', isBlind: false },
  'development-set-6': { now: '2026-11-20T09:00:00Z', isBlind: false },
  'development-set-7': { now: '2026-11-20T09:00:00Z', isBlind: false },
} as const;
export type PlantedSet = keyof typeof plantedSets;

/** The development sets say `due` for short. */
const Kind = z.preprocess((kind) => (kind === 'due' ? 'due_date' : kind), z.enum(kinds));
const Memory = z.object({
  key: z.string(),
  value: z.string(),
  created_at: z.string(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});
/** The date of a due date stands in `detail`, or in `due`, where a month may do (`2027-02`). */
const Finding = z
  .object({
    id: z.string(),
    kind: Kind,
    evidence: z.array(z.string()),
    detail: z.union([z.object({ date: z.string().optional() }), z.string()]),
    due: z.string().optional(),
  })
  .transform(({ detail, due, ...finding }) => ({
    ...finding,
    detail: { date: typeof detail === 'string' ? due : (detail.date ?? due) },
  }));
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
