/**
 * Fits what speaks for a recurrence (daemon/src/features/dreams/strategies/evidence.ts) on the open sets, and says how it does on each set when
 * it was fitted on the others:
 *
 *   node bench/dreams/recurrence-fit.ts [--penalty 3] [--show planted-set] [--weights]
 *
 * A recurrence counts as found where a proposal holds three of its occasions and at most one stranger.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import {
  devAcceptable,
  devFindings,
  devSet,
} from '../../daemon/src/features/dreams/strategies/fixtures/dev-set.ts';
import { candidatesOf } from '../../daemon/src/features/dreams/strategies/groups.ts';
import { withoutRepeats } from '../../daemon/src/features/dreams/strategies/recurrences.ts';
import { readJsonl } from '../retrieval/jsonl.ts';
import { type Example, logistic, type Model, sum } from '../retrieval/fitting.ts';
import { labelledSet, viewOfTold } from './fit-sets.ts';
import { type PlantedSet, plantedSet } from './planted.ts';

const { values: options } = parseArgs({
  options: {
    penalty: { type: 'string', default: '3' },
    show: { type: 'string' },
    weights: { type: 'boolean', default: false },
  },
});

const QUIET = { isStopped: () => false, step: () => undefined };
const Text = z.object({ value: z.string(), created_at: z.string() });
const Written = z.object({ id: z.string(), recurs: z.boolean(), memories: z.array(Text) });

type Groups = ReturnType<typeof candidatesOf>['groups'];
interface Labelled {
  readonly name: string;
  readonly wanted: readonly (readonly string[])[];
  readonly fine: readonly (readonly string[])[];
  readonly groups: Groups;
}
type Label = { kind: 'hit'; which: number } | { kind: 'part' | 'fine' | 'false' };

const shared = (keys: readonly string[], of: readonly string[]) =>
  of.filter((key) => keys.includes(key)).length;

function labelOf(keys: readonly string[], { wanted, fine }: Labelled): Label {
  const which = wanted.findIndex((of) => shared(keys, of) >= 3 && keys.length - shared(keys, of) <= 1);
  if (which >= 0) return { kind: 'hit', which };
  if (fine.some((of) => shared(keys, of) >= 2)) return { kind: 'fine' };
  return { kind: wanted.some((of) => shared(keys, of) >= 2) ? 'part' : 'false' };
}

const keysOf = (group: Groups[number]) => group.occasions.map(({ of }) => of.memory.key);

function read(name: PlantedSet): Labelled {
  const { planted } = plantedSet(name);
  const of = (lines: readonly { kind: string; evidence: readonly string[] }[]) =>
    lines.flatMap(({ kind, evidence }) => (kind === 'recurrence' ? [evidence] : []));
  const { groups } = candidatesOf(labelledSet(name).view, QUIET);
  return { name, wanted: of(planted.findings), fine: of(planted.acceptable), groups };
}

/** Each finding counts alike, however many groups hit it; all that is false in a set counts alike as well. */
function examplesOf(set: Labelled): Example[] {
  const labels = set.groups.map((group) => labelOf(keysOf(group), set));
  const hits = Map.groupBy(labels, (label) => (label.kind === 'hit' ? label.which : -1));
  return set.groups.flatMap(({ measured }, index) => {
    const label = labels[index];
    if (!label || label.kind === 'fine') return [];
    const counts =
      label.kind === 'hit'
        ? 4 / (hits.get(label.which)?.length ?? 1)
        : ((label.kind === 'part' ? 0.3 : 1) * 150) / set.groups.length;
    return [{ row: measured, yes: label.kind === 'hit', counts }];
  });
}

function report(set: Labelled, model: Model): void {
  const scored = set.groups.map((group) => ({ group, odds: sum(model, group.measured) }));
  const line = [0, 0.5, 1, 1.25, 1.5, 2, 3].map((least) => {
    const proposed = withoutRepeats(scored.filter(({ odds }) => odds >= least)).map(({ group }) =>
      labelOf(keysOf(group), set),
    );
    const found = new Set(proposed.flatMap((label) => (label.kind === 'hit' ? [label.which] : [])));
    const wrong = proposed.filter(({ kind }) => kind === 'false' || kind === 'part').length;
    return `${least}: ${found.size}/${set.wanted.length}, ${wrong} false`;
  });
  const reach = new Set(
    set.groups.flatMap((group) => {
      const label = labelOf(keysOf(group), set);
      return label.kind === 'hit' ? [label.which] : [];
    }),
  );
  console.log(`${set.name} (${set.groups.length} groups hold ${reach.size}) | ${line.join(' | ')}`);
  if (options.show !== set.name) return;
  for (const { group, odds } of withoutRepeats(scored.filter((one) => one.odds >= 0))) {
    console.log(odds.toFixed(2), labelOf(keysOf(group), set).kind, group.by.join(' '));
    for (const { of } of group.occasions)
      console.log('      ', of.memory.key, of.memory.value.slice(0, 120).replaceAll('\n', ' '));
  }
  for (const [which, keys] of set.wanted.entries())
    if (!reach.has(which)) console.log('not among the groups:', keys.join(' '));
}

const sets: Labelled[] = [
  read('planted-set'),
  read('development-set'),
  read('development-set-2'),
  {
    name: 'fixtures',
    wanted: devFindings['pattern'] ?? [],
    fine: devAcceptable['pattern'] ?? [],
    groups: candidatesOf(
      viewOfTold(
        devSet.map(({ at, key, value }) => ({ key, value, at: at.length === 10 ? `${at}T12:00:00Z` : at })),
        '2026-10-01T09:00:00Z',
      ),
      QUIET,
    ).groups,
  },
];
/** Recurrences that were written one by one, and look-alikes, among the texts of other pairs. */
function written(): Labelled {
  const told = readJsonl(join(import.meta.dirname, 'pairs/recurrences.jsonl'), Written);
  const others = [
    ...readJsonl(
      join(import.meta.dirname, 'pairs/contradictions.jsonl'),
      z.object({ older: Text, newer: Text }),
    )
      .slice(0, 220)
      .flatMap(({ older, newer }) => [older, newer]),
    ...readJsonl(join(import.meta.dirname, 'pairs/links.jsonl'), z.object({ a: Text, b: Text })).flatMap(
      ({ a, b }) => [a, b],
    ),
  ];
  const keys = new Map<string, readonly string[]>();
  let count = 0;
  const memories = [
    ...told.flatMap(({ id, memories }) => {
      const stored = memories.map(({ value, created_at }) => ({
        key: `w${(count += 1)}`,
        value,
        at: created_at,
      }));
      keys.set(
        id,
        stored.map(({ key }) => key),
      );
      return stored;
    }),
    ...[...new Map(others.map((one) => [one.value, one])).values()].map(({ value, created_at }, index) => ({
      key: `o${index}`,
      value,
      at: created_at,
    })),
  ];
  return {
    name: 'pairs',
    wanted: told.flatMap(({ id, recurs }) => (recurs ? [keys.get(id) ?? []] : [])),
    fine: [],
    groups: candidatesOf(viewOfTold(memories, '2026-11-15T09:00:00Z'), QUIET).groups,
  };
}

sets.push(written());
const penalty = Number(options.penalty);
for (const left of sets)
  report(left, logistic(sets.filter((set) => set !== left).flatMap(examplesOf), { penalty }));
if (options.weights) {
  const { weights, bias } = logistic(sets.flatMap(examplesOf), { penalty });
  console.log(
    JSON.stringify(
      {
        weights: Object.fromEntries(
          Object.entries(weights).map(([name, weight]) => [name, Number(weight.toFixed(3))]),
        ),
        bias: Number(bias.toFixed(3)),
      },
      null,
      1,
    ),
  );
}
