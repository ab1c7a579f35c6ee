import type { Forest, Tree } from '../../daemon/src/features/ask/trees.ts';
import { type Example } from './fitting.ts';

/** How trees are grown. */
export interface Growing {
  trees: number;
  leaves: number;
  rate: number;
  /** Weight of examples that a leaf has at least. */
  least: number;
  /** Pull of each leaf towards 0. */
  penalty: number;
  /** Share of the examples, and of the features, that a tree sees. */
  rows: number;
  columns: number;
  /** Features that can only speak for yes the more there is of them (1), or against it (-1). */
  rising: Readonly<Record<string, 1 | -1>>;
  seed: number;
}

const BINS = 32;

/** Numbers 0..1 that look like chance and are the same in each run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Values of a feature in up to 32 bins of as many examples each: the upper edges, and the bin of each example. */
function binned(values: readonly number[]): { edges: number[]; bins: Uint8Array } {
  const sorted = [...values].sort((a, b) => a - b);
  const edges: number[] = [];
  for (let bin = 1; bin < BINS; bin++) {
    const at = Math.floor((bin * sorted.length) / BINS);
    const [below = 0, above = 0] = [sorted[at - 1], sorted[at]];
    if (below < above) edges.push((below + above) / 2);
  }
  for (const edge of new Set(sorted)) if (edges.length < 2) edges.push(edge);
  const unique = [...new Set(edges)].sort((a, b) => a - b);
  return {
    edges: unique,
    bins: Uint8Array.from(values, (value) => {
      const bin = unique.findIndex((edge) => value <= edge);
      return bin < 0 ? unique.length : bin;
    }),
  };
}

interface Split {
  feature: number;
  bin: number;
  gain: number;
}
interface Leaf {
  rows: number[];
  slope: number;
  bend: number;
  split: Split | undefined;
}

/** Gradient-boosted trees for yes or no, grown leaf by leaf, best split first. */
export function boosted(examples: readonly Example[], growing: Growing): Forest {
  const names = Object.keys(examples[0]?.row ?? {});
  const columns = names.map((name) => binned(examples.map(({ row }) => row[name] ?? 0)));
  const random = seeded(growing.seed);
  const yes = examples.reduce((sum, one) => sum + (one.yes ? one.counts : 0), 0);
  const all = examples.reduce((sum, { counts }) => sum + counts, 0);
  const bias = Math.log(yes / (all - yes));
  const odds = new Float64Array(examples.length).fill(bias);
  const trees: Tree[] = [];
  const slopes = new Float64Array(examples.length);
  const bends = new Float64Array(examples.length);
  for (let round = 0; round < growing.trees; round++) {
    for (const [at, { yes: isYes, counts }] of examples.entries()) {
      const p = 1 / (1 + Math.exp(-(odds[at] ?? 0)));
      slopes[at] = counts * (Number(isYes) - p);
      bends[at] = counts * p * (1 - p);
    }
    const rows = examples.flatMap(({ counts }, at) => (counts > 0 && random() < growing.rows ? [at] : []));
    const seen = names.flatMap((_, at) => (random() < growing.columns ? [at] : []));
    const tree = grow({ names, columns, slopes, bends, seen, growing }, rows);
    trees.push(tree.tree);
    for (const at of examples.keys()) odds[at] = (odds[at] ?? 0) + tree.of(at);
  }
  return { names, bias, trees };
}

interface Ground {
  names: readonly string[];
  columns: readonly { edges: number[]; bins: Uint8Array }[];
  slopes: Float64Array;
  bends: Float64Array;
  seen: readonly number[];
  growing: Growing;
}

function leafOver(ground: Ground, rows: number[]): Leaf {
  const { slopes, bends } = ground;
  const slope = rows.reduce((sum, at) => sum + (slopes[at] ?? 0), 0);
  const bend = rows.reduce((sum, at) => sum + (bends[at] ?? 0), 0);
  const leaf = { rows, slope, bend, split: undefined };
  return { ...leaf, split: bestSplit(ground, leaf) };
}

function bestSplit({ names, columns, slopes, bends, seen, growing }: Ground, leaf: Leaf): Split | undefined {
  const { penalty, least, rising } = growing;
  const worth = (slope: number, bend: number) => slope ** 2 / (bend + penalty);
  let best: Split | undefined;
  for (const feature of seen) {
    const { bins, edges } = columns[feature] ?? { bins: new Uint8Array(), edges: [] };
    const [slopeOf, bendOf] = [new Float64Array(BINS + 1), new Float64Array(BINS + 1)];
    for (const at of leaf.rows) {
      const bin = bins[at] ?? 0;
      slopeOf[bin] = (slopeOf[bin] ?? 0) + (slopes[at] ?? 0);
      bendOf[bin] = (bendOf[bin] ?? 0) + (bends[at] ?? 0);
    }
    const way = rising[names[feature] ?? ''] ?? 0;
    let [slope, bend] = [0, 0];
    for (let bin = 0; bin < edges.length; bin++) {
      slope += slopeOf[bin] ?? 0;
      bend += bendOf[bin] ?? 0;
      const [otherSlope, otherBend] = [leaf.slope - slope, leaf.bend - bend];
      // A quarter is what one undecided example bends.
      if (bend < least / 4 || otherBend < least / 4) continue;
      const rise = otherSlope / (otherBend + penalty) - slope / (bend + penalty);
      if (rise * way < 0) continue;
      const gain = worth(slope, bend) + worth(otherSlope, otherBend) - worth(leaf.slope, leaf.bend);
      if (gain > (best?.gain ?? 1e-9)) best = { feature, bin, gain };
    }
  }
  return best;
}

/** One tree, and what it adds to each example. */
function grow(ground: Ground, rows: number[]): { tree: Tree; of: (at: number) => number } {
  const { columns, growing } = ground;
  const [asks, most, yes, no]: [number[], number[], number[], number[]] = [[], [], [], []];
  const bins: number[] = [];
  // A leaf stands where its parent says: which node, and on which side.
  const open: { leaf: Leaf; set: (place: number) => void }[] = [
    { leaf: leafOver(ground, rows), set: () => undefined },
  ];
  while (open.length < growing.leaves) {
    open.sort((a, b) => (b.leaf.split?.gain ?? 0) - (a.leaf.split?.gain ?? 0));
    const split = open[0]?.leaf.split;
    const first = split && open.shift();
    if (!split || !first) break;
    const column = columns[split.feature];
    const node = asks.push(split.feature) - 1;
    most.push(column?.edges[split.bin] ?? 0);
    bins.push(split.bin);
    first.set(node);
    const isYes = (at: number) => (column?.bins[at] ?? 0) <= split.bin;
    const [here, there] = [first.leaf.rows.filter(isYes), first.leaf.rows.filter((at) => !isYes(at))];
    open.push({ leaf: leafOver(ground, here), set: (place) => (yes[node] = place) });
    open.push({ leaf: leafOver(ground, there), set: (place) => (no[node] = place) });
  }
  const leaves = open.map(({ leaf: { slope, bend }, set }, at) => {
    set(-1 - at);
    return Number(((growing.rate * slope) / (bend + growing.penalty)).toFixed(4));
  });
  const of = (at: number) => {
    let node = asks.length === 0 ? -1 : 0;
    while (node >= 0)
      node = ((columns[asks[node] ?? 0]?.bins[at] ?? 0) <= (bins[node] ?? 0) ? yes[node] : no[node]) ?? -1;
    return leaves[-1 - node] ?? 0;
  };
  return { tree: { asks, most: most.map((edge) => Number(edge.toPrecision(6))), yes, no, leaves }, of };
}
