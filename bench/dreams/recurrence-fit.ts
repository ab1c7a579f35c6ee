/**
 * Fits what speaks for a recurrence (daemon/src/features/dreams/strategies/recurrence-model.ts) on the open sets, and says how it does on each set when
 * it was fitted on the others:
 *
 *   node bench/dreams/recurrence-fit.ts [--penalty 3] [--show planted-set] [--weights] [--aside]
 *
 * `--aside` measures what was set aside (pairs/README.md), fitted on all the rest: for the end, not for tuning.
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
import { measurePair } from '../../daemon/src/features/dreams/strategies/pairing.ts';
import { oddsOf, withoutRepeats } from '../../daemon/src/features/dreams/strategies/recurrences.ts';
import type { DreamView } from '../../daemon/src/features/dreams/strategies/strategy.ts';
import { readJsonl } from '../retrieval/jsonl.ts';
import { type Example, logistic, type Model } from '../retrieval/fitting.ts';
import { labelledSet, viewOfTold } from './fit-sets.ts';
import { type PlantedSet, plantedSet } from './planted.ts';

const { values: options } = parseArgs({
  options: {
    penalty: { type: 'string', default: '3' },
    show: { type: 'string' },
    weights: { type: 'boolean', default: false },
    aside: { type: 'boolean', default: false },
  },
});

const QUIET = { isStopped: () => false, step: () => undefined };
const Text = z.object({ value: z.string(), created_at: z.string() });
const Written = z.object({
  id: z.string(),
  half: z.enum(['fit', 'aside']).optional(),
  recurs: z.boolean(),
  memories: z.array(Text),
});

type Groups = ReturnType<typeof candidatesOf>['groups'];
interface Labelled {
  readonly name: string;
  readonly view: DreamView;
  readonly wanted: readonly (readonly string[])[];
  readonly fine: readonly (readonly string[])[];
}
/** A set with what a model of pairs brings together in it. */
type Grouped = Labelled & { readonly groups: Groups };
type Label = { kind: 'hit'; which: number; strangers: number } | { kind: 'part' | 'fine' | 'false' };

const shared = (keys: readonly string[], of: readonly string[]) =>
  of.filter((key) => keys.includes(key)).length;

function labelOf(keys: readonly string[], { wanted, fine }: Pick<Labelled, 'wanted' | 'fine'>): Label {
  const which = wanted.findIndex((of) => shared(keys, of) >= 3 && keys.length - shared(keys, of) <= 1);
  if (which >= 0) return { kind: 'hit', which, strangers: keys.length - shared(keys, wanted[which] ?? []) };
  if (fine.some((of) => shared(keys, of) >= 2)) return { kind: 'fine' };
  return { kind: wanted.some((of) => shared(keys, of) >= 2) ? 'part' : 'false' };
}

const STEPS = [0.5, 0.75, 1.1, 1.25, 1.5, 1.75, 2, 3];
interface Step {
  found: number;
  wrong: number;
  loose: number;
  /** As a set judges (matching.ts): two of the occasions are enough. */
  judgedFound: number;
  judgedWrong: number;
}
const totals: Step[][] = [];
const sumOf = (of: readonly number[]) => of.reduce((all, one) => all + one, 0);
const keysOf = (group: Groups[number]) => group.occasions.map(({ of }) => of.memory.key);

function read(name: PlantedSet): Labelled {
  const { planted } = plantedSet(name);
  const of = (lines: readonly { kind: string; evidence: readonly string[] }[]) =>
    lines.flatMap(({ kind, evidence }) => (kind === 'recurrence' ? [evidence] : []));
  return {
    name,
    view: labelledSet(name).view,
    wanted: of(planted.findings),
    fine: of(planted.acceptable),
  };
}

function grouped(set: Labelled, model: Model): Grouped {
  return { ...set, groups: candidatesOf(set.view, QUIET, model).groups };
}

/** Pairs of occasions that have anything in common: those of a recurrence, and all others, each kind of a set counts alike. */
function pairExamples({ view, wanted, fine }: Labelled): Example[] {
  const { told, likeness, isName } = candidatesOf(view, QUIET);
  const areOf = (groups: readonly (readonly string[])[], a: string, b: string) =>
    groups.some((keys) => keys.includes(a) && keys.includes(b));
  const pairs = told.flatMap((a, index) =>
    told.slice(index + 1).flatMap((b) => {
      if (a.of === b.of || a.of.day === b.of.day) return [];
      const isAlike = [...a.says.keys()].some((said) => b.says.has(said)) || likeness.nearness(a, b) > 0.2;
      const [x, y] = [a.of.memory.key, b.of.memory.key];
      if (!isAlike) return [];
      const yes = areOf(wanted, x, y);
      if (!yes && areOf(fine, x, y)) return [];
      return [{ row: measurePair(a, b, { likeness, isName }), yes }];
    }),
  );
  const right = pairs.filter(({ yes }) => yes).length;
  return pairs.map((pair) => ({ ...pair, counts: pair.yes ? 40 / right : 400 / (pairs.length - right) }));
}

const known = new Map<string, Example[]>();
function pairExamplesOf(set: Labelled): Example[] {
  const before = known.get(set.name) ?? pairExamples(set);
  known.set(set.name, before);
  return before;
}

/** Each finding counts alike, however many groups hit it; all that is false in a set counts alike as well. */
function examplesOf(set: Grouped): Example[] {
  const labels = set.groups.map((group) => labelOf(keysOf(group), set));
  const hits = Map.groupBy(labels, (label) =>
    label.kind === 'hit' && label.strangers === 0 ? label.which : -1,
  );
  return set.groups.flatMap(({ measured }, index) => {
    const label = labels[index];
    // With a stranger it is neither what is wanted nor quite wrong.
    if (!label || label.kind === 'fine' || (label.kind === 'hit' && label.strangers > 0)) return [];
    const counts =
      label.kind === 'hit'
        ? 4 / (hits.get(label.which)?.length ?? 1)
        : ((label.kind === 'part' ? 0.3 : 1) * 150) / set.groups.length;
    return [{ row: measured, yes: label.kind === 'hit', counts }];
  });
}

function report(set: Grouped, model: Model): void {
  const scored = set.groups.map((group) => ({ group, odds: oddsOf(group, model) }));
  const steps = STEPS.map((least) => {
    const kept = withoutRepeats(scored.filter(({ odds }) => odds >= least)).map(({ group }) => keysOf(group));
    const proposed = kept.map((keys) => labelOf(keys, set));
    const found = new Set(proposed.flatMap((label) => (label.kind === 'hit' ? [label.which] : [])));
    const wrong = proposed.filter(({ kind }) => kind === 'false' || kind === 'part').length;
    const loose = proposed.filter((label) => label.kind === 'hit' && label.strangers > 0).length;
    const judgedFound = set.wanted.filter((of) => kept.some((keys) => shared(keys, of) >= 2)).length;
    const judgedWrong = proposed.filter(({ kind }) => kind === 'false').length;
    return {
      found: found.size,
      wrong,
      loose,
      judgedFound,
      judgedWrong,
      said: `${least}: ${found.size}/${set.wanted.length}, ${wrong} false, ${loose} with one, judged ${judgedFound} and ${judgedWrong}`,
    };
  });
  totals.push(steps);
  const line = steps.map(({ said }) => said);
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
  read('planted-set-2'),
  read('planted-set-3'),
  read('planted-set-4'),
  read('planted-set-5'),
  read('development-set'),
  read('development-set-2'),
  read('development-set-3'),
  read('development-set-4'),
  read('development-set-5'),
  read('development-set-7'),
  {
    name: 'fixtures',
    wanted: devFindings['pattern'] ?? [],
    fine: devAcceptable['pattern'] ?? [],
    view: viewOfTold(
      devSet.map(({ at, key, value }) => ({ key, value, at: at.length === 10 ? `${at}T12:00:00Z` : at })),
      '2026-10-01T09:00:00Z',
    ),
  },
];
/** Recurrences that were written one by one, and look-alikes, among the texts of other pairs. */
function written(half: 'old' | 'fit' | 'aside'): Labelled {
  const told = readJsonl(join(import.meta.dirname, 'pairs/recurrences.jsonl'), Written).filter(
    (row) => (row.half ?? 'old') === half,
  );
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
    name: `pairs, ${half}`,
    wanted: told.flatMap(({ id, recurs }) => (recurs ? [keys.get(id) ?? []] : [])),
    fine: [],
    view: viewOfTold(memories, '2026-11-15T09:00:00Z'),
  };
}

sets.push(written('old'), written('fit'));
const penalty = Number(options.penalty);
const PENALTY_OF_PAIRS = 3;
/** Both models, fitted on some sets. */
function fit(on: readonly Labelled[]): { pairs: Model; groups: Model } {
  const pairs = logistic(on.flatMap(pairExamplesOf), { penalty: PENALTY_OF_PAIRS });
  return {
    pairs,
    groups: logistic(
      on.flatMap((set) => examplesOf(grouped(set, pairs))),
      { penalty },
    ),
  };
}

for (const left of sets) {
  const { pairs, groups } = fit(sets.filter((set) => set !== left));
  report(grouped(left, pairs), groups);
}
for (const [index, least] of STEPS.entries()) {
  const of = (which: keyof Step) => sumOf(totals.map((steps) => steps[index]?.[which] ?? 0));
  console.log(
    `all left out, ${least}: ${of('found')}/${sumOf(sets.map(({ wanted }) => wanted.length))}, ${of('wrong')} false, ${of('loose')} of the found with one stranger; judged ${of('judgedFound')} and ${of('judgedWrong')}`,
  );
}
if (options.aside) {
  const { pairs, groups } = fit(sets);
  report(grouped(written('aside'), pairs), groups);
}
if (options.weights) {
  const { pairs, groups } = fit(sets);
  const rounded = ({ weights, bias }: Model) => ({
    weights: Object.fromEntries(
      Object.entries(weights).map(([name, weight]) => [name, Number(weight.toFixed(3))]),
    ),
    bias: Number(bias.toFixed(3)),
  });
  console.log(JSON.stringify({ pairs: rounded(pairs), groups: rounded(groups) }, null, 1));
}
