import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonl } from '../retrieval/sets/jsonl.ts';
import { kinds, type Planted } from './matching.ts';

const open = ['planted-set', 'planted-set-2', 'development-set'] as const;
const blind = ['obvious', 'plain', 'attentive'] as const;
export type PlantedSet = (typeof open)[number] | (typeof blind)[number];

/** Where a set lies. */
export function setFolder(name: PlantedSet): string {
  const room = (open as readonly PlantedSet[]).includes(name) ? 'open' : 'blind';
  return join(import.meta.dirname, 'sets', room, name);
}

const Dated = z.object({ now: z.iso.datetime() });

function placed(names: readonly PlantedSet[], isBlind: boolean) {
  return names.map((name) => {
    const { now } = Dated.parse(JSON.parse(readFileSync(join(setFolder(name), 'set.json'), 'utf8')));
    return [name, { now, isBlind }] as const;
  });
}

/** The sets, each with the time at which its dreams dream. A blind one judges, and is not to be looked at; the others may be tuned on. */
export const plantedSets = Object.fromEntries([...placed(open, false), ...placed(blind, true)]) as Readonly<
  Record<PlantedSet, { now: string; isBlind: boolean }>
>;

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
    detail: z.union([z.object({ date: z.string().optional() }), z.string()]).default(''),
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
    readJsonl(join(setFolder(name), `${file}.jsonl`), line);
  return {
    memories: read('memories', Memory),
    planted: {
      findings: read('findings', Finding),
      decoys: read('decoys', Line),
      acceptable: read('acceptable', Line),
    },
  };
}
