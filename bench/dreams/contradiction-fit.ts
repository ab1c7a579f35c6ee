/**
 * Fits the judgement of contradictions (daemon/src/features/dreams/strategies/changes/judgement.ts) on the open sets. It says how the judgement
 * does on each set when it was fitted on the others, and prints the weights of all together:
 *
 *   node bench/dreams/contradiction-fit.ts [--show SET] [--penalty 30] [--enough 0.53] [--dump FILE]
 */
import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { pairsOf } from '../../daemon/src/features/dreams/strategies/changes/pairs.ts';
import { type Example, logistic, type Model, type Row, sum } from '../retrieval/fitting.ts';
import { fixtureSets, labelledPairs, labelledSet, type LabelledSet, pairName } from './fit-sets.ts';

const { values: options } = parseArgs({
  options: {
    show: { type: 'string' },
    penalty: { type: 'string', default: '30' },
    dump: { type: 'string' },
    enough: { type: 'string', default: '0.53' },
  },
});

/** Pairs that were written one by one, or looked at while rules were written, tell less of a namespace than whole sets do. */
const COUNTS = { yes: 2, no: 1, ofPairs: 0.6 } as const;

interface Candidate {
  readonly name: string;
  readonly older: string;
  readonly newer: string;
  readonly row: Row;
  readonly isYes: boolean;
}
interface ReadSet {
  readonly set: LabelledSet;
  readonly candidates: readonly Candidate[];
}

function read(set: LabelledSet): ReadSet {
  const candidates = pairsOf(set.view, { isStopped: () => false, step: () => undefined }).flatMap(
    ({ pair: { older, newer }, signs }) => {
      const [o, n] = [older.memory.memory.key, newer.memory.memory.key];
      const name = pairName(o, n);
      return set.undecided.has(name)
        ? []
        : [{ name, older: o, newer: n, row: signs, isYes: set.contradicting.has(name) }];
    },
  );
  return { set, candidates };
}

function examplesOf(sets: readonly ReadSet[]): Example[] {
  return sets.flatMap(({ candidates, set }) =>
    candidates.map(({ row, isYes }) => ({
      row,
      yes: isYes,
      counts: set.isWhole ? (isYes ? COUNTS.yes : COUNTS.no) : COUNTS.ofPairs,
    })),
  );
}

/** Best first, each memory once, as the strategy proposes them. */
function proposedBy(model: Model, { candidates }: ReadSet): { candidate: Candidate; p: number }[] {
  const taken = new Set<string>();
  return candidates
    .map((candidate) => ({ candidate, p: 1 / (1 + Math.exp(-sum(model, candidate.row))) }))
    .sort((a, b) => b.p - a.p)
    .filter(({ candidate: { older, newer } }) => {
      if (taken.has(older) || taken.has(newer)) return false;
      taken.add(older).add(newer);
      return true;
    });
}

const fit = (sets: readonly ReadSet[]): Model =>
  logistic(examplesOf(sets), { penalty: Number(options.penalty) });
const sets = [
  labelledSet('planted-set'),
  labelledSet('development-set'),
  labelledSet('development-set-2'),
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
for (const left of sets) {
  const model = fit(sets.filter((one) => one !== left));
  const proposed = proposedBy(model, left);
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
  if (options.show === left.set.name) show(left, proposed);
}
const all = fit(sets);
console.log(`const BIAS = ${all.bias.toFixed(3)};`);
for (const [name, weight] of Object.entries(all.weights)) console.log(`  ${name}: ${weight.toFixed(3)},`);

function show({ set }: ReadSet, proposed: readonly { candidate: Candidate; p: number }[]): void {
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
