import { join } from 'node:path';
import { z } from 'zod';
import { digestOf } from '../../daemon/src/features/dreams/thread/view.ts';
import { nearestOf } from '../../daemon/src/features/dreams/thread/neighbours.ts';
import {
  type DreamMemory,
  type DreamView,
  NEIGHBOURS,
} from '../../daemon/src/features/dreams/strategies/strategy.ts';
import { devFindings, devSet } from '../../daemon/src/features/dreams/strategies/fixtures/dev-set.ts';
import { toldPairs } from '../../daemon/src/features/dreams/strategies/fixtures/told-pairs.ts';
import type { Written } from '../../daemon/src/features/dreams/strategies/fixtures/view.ts';
import {
  contradicting,
  together,
} from '../../daemon/src/features/dreams/strategies/fixtures/worded-pairs.ts';
import { loadStaticTable } from '../../daemon/src/models/static-table.ts';
import { readJsonl } from '../retrieval/jsonl.ts';
import { type PlantedSet, plantedSet, plantedSets } from './planted.ts';

/** Memories with the pairs of them that contradict each other, and those of which nobody says whether they do. */
export interface LabelledSet {
  readonly name: string;
  readonly view: DreamView;
  readonly contradicting: ReadonlySet<string>;
  readonly undecided: ReadonlySet<string>;
  /** Whether a pair that is in neither list surely does not contradict itself: so it is in a namespace, and not where pairs were written one by one. */
  readonly isWhole: boolean;
  /** Listed pairs that do not. */
  readonly together: ReadonlySet<string>;
}

interface Told {
  readonly key: string;
  readonly value: string;
  readonly at: string;
  readonly session?: string | undefined;
}

export const pairName = (a: string, b: string): string => (a < b ? `${a} ${b}` : `${b} ${a}`);

const encoder = loadStaticTable();

/** A view as the daemon makes it, without a daemon; facts are not found in it. */
export function viewOfTold(told: readonly Told[], now: string): DreamView {
  const memories = told
    .map(({ key, value, at, session }, index): DreamMemory => {
      const time = Date.parse(at);
      return {
        id: index + 1,
        key,
        value,
        isCut: false,
        digest: digestOf(value),
        class: 'note',
        metadata: {},
        tags: [],
        session: session ?? null,
        time,
        createdAt: time,
        updatedAt: time,
      };
    })
    .sort((a, b) => a.time - b.time || a.id - b.id);
  const { dimensions } = encoder;
  const vectors = new Float32Array(memories.length * dimensions);
  for (const [index, { key, value }] of memories.entries())
    vectors.set(encoder.encode(`${key}\n${value}`), index * dimensions);
  const table = nearestOf(vectors, { dimensions, keep: NEIGHBOURS, isStopped: () => false });
  const slots = new Map(memories.map(({ id }, slot) => [id, slot]));
  return {
    now: Date.parse(now),
    memories: () => memories,
    neighbours: (id, k) =>
      table
        .of(slots.get(id) ?? 0, k)
        .map(({ slot, cosine }, index) => ({ id: memories[slot]?.id ?? 0, rank: index + 1, cosine })),
    facts: () => [],
    recalls: () => [],
    accepted: () => [],
  };
}

/** An open planted or development set; a blind one is refused. */
export function labelledSet(name: PlantedSet): LabelledSet {
  if (plantedSets[name].isBlind) throw new Error(`${name} is blind: nothing is fitted to it`);
  const { memories, planted } = plantedSet(name);
  const of = (lines: readonly { kind: string; evidence: readonly string[] }[]) =>
    new Set(
      lines
        .filter(({ kind }) => kind === 'contradiction')
        .flatMap(({ evidence }) =>
          evidence.flatMap((a, at) => evidence.slice(at + 1).map((b) => pairName(a, b))),
        ),
    );
  return {
    name,
    view: viewOfTold(
      memories.map(({ key, value, created_at, metadata }) => ({
        key,
        value,
        at: typeof metadata?.['timestamp'] === 'string' ? metadata['timestamp'] : created_at,
        session: typeof metadata?.['session'] === 'string' ? metadata['session'] : undefined,
      })),
      plantedSets[name].now,
    ),
    contradicting: of(planted.findings),
    undecided: of(planted.acceptable),
    together: of(planted.decoys),
    isWhole: true,
  };
}

const Pair = z.object({
  id: z.string(),
  older: z.object({ value: z.string(), created_at: z.string() }),
  newer: z.object({ value: z.string(), created_at: z.string() }),
  contradicts: z.boolean(),
});

/** Pairs that were written one by one, as one namespace; a text that stands in several pairs is one memory. */
export function labelledPairs(): LabelledSet {
  const pairs = readJsonl(join(import.meta.dirname, 'pairs/contradictions.jsonl'), Pair);
  const keys = new Map<string, Told>();
  const keyOf = ({ value, created_at }: { value: string; created_at: string }): string => {
    const known = keys.get(value);
    if (known) return known.key;
    const key = `p${keys.size + 1}`;
    keys.set(value, { key, value, at: created_at });
    return key;
  };
  const [contradicting, together] = [new Set<string>(), new Set<string>()];
  for (const { older, newer, contradicts } of pairs)
    (contradicts ? contradicting : together).add(pairName(keyOf(older), keyOf(newer)));
  return {
    name: 'pairs',
    view: viewOfTold([...keys.values()], '2026-11-15T09:00:00Z'),
    contradicting,
    undecided: new Set(),
    together,
    isWhole: false,
  };
}

const toldOf = ({ at, key, value, session }: Written): Told => ({
  key,
  value,
  at: at.length === 10 ? `${at}T12:00:00Z` : at,
  session,
});
const namesOf = (pairs: readonly (readonly Written[])[]): Set<string> =>
  new Set(pairs.flatMap(([a, b]) => (a && b ? [pairName(a.key, b.key)] : [])));

/** The namespace on which the strategies were developed first, and pairs that tests tell beside it. */
export function fixtureSets(): LabelledSet[] {
  const found = new Set(
    (devFindings['contradict'] ?? []).flatMap(([a, b]) => (a && b ? [pairName(a, b)] : [])),
  );
  const set = (
    name: string,
    groups: readonly (readonly Written[])[],
    contradicting: Set<string>,
  ): LabelledSet => ({
    name,
    view: viewOfTold([...devSet, ...groups.flat()].map(toldOf), '2026-10-01T09:00:00Z'),
    contradicting,
    // What the namespace beside them holds is the first set's.
    undecided: groups.length === 0 ? new Set() : found,
    together: new Set(),
    isWhole: groups.length === 0,
  });
  return [
    set('fixtures', [], found),
    set('fixtures, worded', [...contradicting, ...together], namesOf(contradicting)),
    set('fixtures, told', toldPairs, namesOf(toldPairs)),
  ];
}

/** The namespace on which the strategies were developed first, alone. */
export function fixtureSet(): LabelledSet {
  const [set] = fixtureSets();
  if (!set) throw new Error('there is no fixture');
  return set;
}
