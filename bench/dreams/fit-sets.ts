import { digestOf } from '../../daemon/src/features/dreams/thread/view.ts';
import { nearestOf } from '../../daemon/src/features/dreams/thread/neighbours.ts';
import {
  type DreamMemory,
  type DreamView,
  NEIGHBOURS,
} from '../../daemon/src/features/dreams/strategies/strategy.ts';
import { loadStaticTable } from '../../daemon/src/models/static-table.ts';
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
