/**
 * Fits the judgement of contradictions (daemon/src/features/dreams/strategies/changes/judgement.ts) on the open sets. It says how the judgement
 * does on each set when it was fitted on the others, and writes that of all together:
 *
 *   node bench/dreams/contradiction-fit.ts [--show SET] [--enough 0.88] [--dump FILE] [--write]
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  AGAINST,
  FOR,
  likelihoodBy,
  TREES,
} from '../../daemon/src/features/dreams/strategies/changes/judgement.ts';
import { closeOf } from '../../daemon/src/features/dreams/strategies/changes/close.ts';
import {
  pairReader,
  pairsOf,
  type ReadPair,
} from '../../daemon/src/features/dreams/strategies/changes/pairs.ts';
import { readingOf } from '../../daemon/src/features/dreams/strategies/reading.ts';
import type { Signs } from '../../daemon/src/features/dreams/strategies/changes/rivals.ts';
import { boosted } from '../retrieval/boosting.ts';
import { fixtureSets, labelledPairs, labelledSet, type LabelledSet, pairName } from './fit-sets.ts';

const { values: options } = parseArgs({
  options: {
    show: { type: 'string' },
    enough: { type: 'string', default: '0.88' },
    dump: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

/**
 * Pairs that were written one by one, or looked at while rules were written, tell less of a namespace than whole sets do; those of the
 * fixtures have to be found by the tests.
 */
const COUNTS = { yes: 2, told: 6, no: 1, ofPairs: 0.3 } as const;
/** As many as the strategy proposes at most. */
const MOST = 20;
const SEEDS = [7, 20, 33, 46, 59];
const GROWING = { trees: 80, leaves: 4, rate: 0.08, least: 8, penalty: 4, rows: 0.8, columns: 0.5 } as const;

type Forest = Parameters<typeof likelihoodBy>[0];

interface Pair {
  readonly name: string;
  readonly older: string;
  readonly newer: string;
  readonly isYes: boolean;
}
interface Candidate extends Pair {
  readonly row: Signs;
}
interface ReadSet {
  readonly set: LabelledSet;
  /** What is worded alike is proposed by a rule, before anything is judged. */
  readonly close: readonly Pair[];
  mayHold(pair: Pair): boolean;
  readonly candidates: readonly Candidate[];
}

function read(set: LabelledSet): ReadSet {
  const candidateOf = ({ pair: { older, newer }, signs }: ReadPair): Candidate => {
    const [o, n] = [older.memory.memory.key, newer.memory.memory.key];
    const name = pairName(o, n);
    return { name, older: o, newer: n, row: signs, isYes: set.contradicting.has(name) };
  };
  if (set.isWhole || set.together.size === 0) {
    const pairs = pairsOf(set.view, { isStopped: () => false, step: () => undefined });
    return {
      set,
      ...closeIn(set),
      candidates: pairs.map(candidateOf).filter(({ name }) => !set.undecided.has(name)),
    };
  }
  // Written one by one: nothing is known of any other pair of them.
  const reader = pairReader(set.view, () => false);
  const ids = new Map(set.view.memories().map(({ id, key, time }) => [key, { id, time }]));
  const places = new Map(reader.nominated.map((place) => [`${place.older} ${place.newer}`, place]));
  const candidates = [...set.contradicting, ...set.together].flatMap((name) => {
    const sides = name.split(' ').flatMap((key) => ids.get(key) ?? []);
    const [older, newer] = sides.sort((a, b) => a.time - b.time || a.id - b.id).map(({ id }) => id);
    if (older === undefined || newer === undefined) return [];
    const pair = reader.read(places.get(`${older} ${newer}`) ?? { older, newer, rankForNewer: 12 });
    return pair?.isPossible ? [candidateOf(pair)] : [];
  });
  return { set, close: [], mayHold: () => false, candidates };
}

/** What the rule of close pairs proposes, and the pairs that it says may both hold. */
function closeIn({ view, contradicting, undecided }: LabelledSet): Pick<ReadSet, 'close' | 'mayHold'> {
  const reading = readingOf(view);
  const { pairs, mayHold } = closeOf(reading, () => false);
  const byKey = new Map(reading.memories.map((one) => [one.memory.key, one]));
  const close = pairs
    .map(({ older, newer }) => {
      const [o, n] = [older.of.memory.key, newer.of.memory.key];
      const name = pairName(o, n);
      return { name, older: o, newer: n, isYes: contradicting.has(name) };
    })
    .filter(({ name }) => !undecided.has(name));
  return {
    close,
    mayHold({ older, newer }) {
      const [one, other] = [byKey.get(older), byKey.get(newer)];
      return one !== undefined && other !== undefined && mayHold(one, other);
    },
  };
}

/** As the strategy proposes them: what is worded alike, then the likeliest first, each memory once, and no change that is told. */
function proposedBy(
  forest: Forest,
  { candidates, close, mayHold }: ReadSet,
): { candidate: Pair; p: number }[] {
  const taken = new Set<string>();
  const judged = candidates
    .filter((candidate) => candidate.row.told === 0 && !mayHold(candidate))
    .map((candidate) => ({ candidate, p: likelihoodBy(forest, candidate.row) }))
    .sort((a, b) => b.p - a.p);
  return [...close.map((candidate) => ({ candidate, p: 1 })), ...judged].filter(
    ({ candidate: { older, newer } }) => {
      if (taken.has(older) || taken.has(newer)) return false;
      taken.add(older).add(newer);
      return true;
    },
  );
}

function countsOf({ name, isWhole, together }: LabelledSet, isYes: boolean): number {
  if (!isWhole && together.size > 0) return COUNTS.ofPairs;
  if (!isYes) return COUNTS.no;
  return name.startsWith('fixtures') ? COUNTS.told : COUNTS.yes;
}

/** The mean of forests that were grown on other parts of the examples. */
function fit(sets: readonly ReadSet[]): Forest {
  const examples = sets.flatMap(({ candidates, set }) =>
    candidates.map(({ row, isYes }) => ({
      row: { ...row },
      yes: isYes,
      counts: countsOf(set, isYes),
    })),
  );
  const rising: Record<string, 1 | -1> = {};
  for (const name of FOR) rising[name] = 1;
  for (const name of AGAINST) rising[name] = -1;
  const forests = SEEDS.map((seed) => boosted(examples, { ...GROWING, rising, seed }));
  return {
    names: [...(forests[0]?.names ?? [])],
    bias: forests.reduce((sum, { bias }) => sum + bias, 0) / forests.length,
    trees: forests.flatMap(({ trees }) =>
      trees.map(({ asks, most, yes, no, leaves }) => ({
        asks: [...asks],
        most: [...most],
        yes: [...yes],
        no: [...no],
        leaves: leaves.map((leaf) => Number((leaf / forests.length).toFixed(5))),
      })),
    ),
  };
}

const sets = [
  labelledSet('planted-set'),
  labelledSet('planted-set-2'),
  labelledSet('planted-set-3'),
  labelledSet('planted-set-4'),
  labelledSet('planted-set-5'),
  labelledSet('development-set'),
  labelledSet('development-set-2'),
  labelledSet('development-set-3'),
  labelledSet('development-set-4'),
  labelledSet('development-set-6'),
  ...fixtureSets(),
  labelledPairs(),
].map(read);

for (const { set, candidates } of sets)
  console.log(
    `${set.name}: ${candidates.length} candidates; ${candidates.filter(({ isYes }) => isYes).length} of ${set.contradicting.size} contradictions are among them`,
  );
if (options.dump !== undefined)
  fs.writeFileSync(
    options.dump,
    JSON.stringify(
      sets.map(({ set, candidates }) => ({
        name: set.name,
        together: [...set.together],
        of: set.contradicting.size,
        texts: Object.fromEntries(set.view.memories().map(({ key, value }) => [key, value])),
        candidates,
      })),
    ),
  );
const isNamespace = ({ set }: ReadSet): boolean => set.isWhole;
/** What was told beside one namespace is left out with it. */
const familyOf = ({ set: { name } }: ReadSet): string => name.split(',')[0] ?? name;
/** Of sets that were left out, and are namespaces rather than lists: what is proposed, and how many contradictions there are. */
const pooled: { name: string; p: number; isYes: boolean }[] = [];
let planted = 0;
for (const left of sets) {
  const forest = fit(sets.filter((one) => familyOf(one) !== familyOf(left)));
  const proposed = proposedBy(forest, left);
  const taken = proposed.filter(({ p }) => p >= Number(options.enough));
  const hits = taken.filter(({ candidate: { isYes } }) => isYes).length;
  const course = proposed
    .slice(0, 60)
    .flatMap(({ candidate: { isYes }, p }, at, list) =>
      isYes
        ? [
            `${list.slice(0, at + 1).filter(({ candidate }) => candidate.isYes).length}/${at + 1} (${p.toFixed(2)})`,
          ]
        : [],
    );
  console.log(
    `${left.set.name} left out: ${hits} of ${left.set.contradicting.size} found, ${taken.length - hits} false; hits by proposals: ${course.join(' ')}`,
  );
  if (isNamespace(left)) {
    planted += left.set.contradicting.size;
    pooled.push(
      ...proposed
        .slice(0, MOST)
        .map(({ p, candidate }) => ({ name: left.set.name, p, isYes: candidate.isYes })),
    );
    const likely = left.candidates
      .map(({ row, isYes }) => ({ isYes, p: likelihoodBy(forest, row) }))
      .sort((a, b) => b.p - a.p);
    const within = [150, 300].map((count) => likely.slice(0, count).filter(({ isYes }) => isYes).length);
    console.log(
      `  within the likeliest 150 and 300 pairs: ${within.join(', ')} of ${left.set.contradicting.size}`,
    );
  }
  if (options.show === left.set.name) show(left, proposed);
}
for (const enough of [0.5, 0.6, 0.7, 0.75, 0.79, 0.82, 0.85, 0.88, 0.9, 0.92, 0.95, 1]) {
  const taken = pooled.filter(({ p }) => p >= enough);
  const right = taken.filter(({ isYes }) => isYes).length;
  const by = [...Map.groupBy(taken, ({ name }) => name)].map(
    ([name, list]) => `${name} ${list.filter(({ isYes }) => isYes).length}/${list.length}`,
  );
  console.log(
    `from ${enough}: ${right} of ${taken.length} right (${((100 * right) / taken.length).toFixed(0)} %), of ${planted} planted; ${by.join(', ')}`,
  );
}
if (options.write) {
  fs.mkdirSync(path.dirname(TREES), { recursive: true });
  fs.writeFileSync(TREES, `${JSON.stringify(fit(sets))}\n`);
}

function show({ set }: ReadSet, proposed: readonly { candidate: Pair; p: number }[]): void {
  const texts = new Map(
    set.view.memories().map(({ key, value }) => [key, value.replaceAll('\n', ' ').slice(0, 160)]),
  );
  for (const { candidate, p } of proposed.slice(0, 30)) {
    const verdict = candidate.isYes ? 'yes' : set.together.has(candidate.name) ? 'decoy' : 'no';
    console.log(
      `${p.toFixed(2)} ${verdict}\n    ${texts.get(candidate.older)}\n    ${texts.get(candidate.newer)}`,
    );
  }
}
