import { linksOf, SURE } from './links.ts';
import { isSameBearer, type Mention } from './mentions.ts';
import { readingOf, type Reading, type ReadMemory } from './reading.ts';
import type { DreamView, Proposal, Strategy } from './strategy.ts';
import { dayOf, shorten } from './telling.ts';
import { type Thing, thingsOf } from './things.ts';

const MOST = 3;
/** Walks of a seed, and how likely each step goes back to where it began. */
const STEPS = 20;
const RESTART = 0.3;
/** A walk that reaches nothing often enough found chance. */
const ENOUGH = 0.04;

interface Edge {
  readonly to: number;
  readonly weight: number;
  /** What both mention, as the one that it leads to does, and as the one that it comes from. */
  readonly by: Mention;
  readonly from: Mention;
  /** Whether `connect` would link the two. */
  readonly isLink: boolean;
}

/**
 * Associations that nobody asked for: random walk with restart (Tong, Faloutsos and Pan 2006), by power iteration and so without chance, over
 * the graph of what memories mention. Two memories that are no neighbours but that a walk connects by way of a third are proposed, with the
 * third; one of the two steps has to be a link that stands by itself.
 */
export const rem: Strategy = {
  name: 'rem',
  run(view, { progress, cancelled }) {
    const reading = readingOf(view);
    const watch = { isStopped: cancelled, step: () => undefined };
    const links = new Set(
      linksOf(reading, watch, view).flatMap(({ a, b, strength }) => (strength >= SURE ? [pairOf(a, b)] : [])),
    );
    const graph = graphOf(thingsOf(reading, watch), links);
    const found: { from: number; via: Edge; to: Edge; score: number }[] = [];
    let done = 0;
    for (const from of graph.keys()) {
      done += 1;
      if (done % 100 === 0) {
        if (cancelled()) return [];
        progress(done, graph.size);
      }
      const best = farthest(from, { graph, reading, view });
      if (best) found.push(best);
    }
    progress(1, 1);
    const used = new Set<number>();
    const proposals: Proposal[] = [];
    for (const { from, via, to, score } of found.sort((a, b) => b.score - a.score || a.from - b.from)) {
      const ids = [from, via.to, to.to];
      const memories = ids.map((id) => reading.byId.get(id));
      if (ids.some((id) => used.has(id)) || proposals.length === MOST) continue;
      const [a, middle, b] = memories;
      if (!a || !middle || !b) continue;
      for (const id of ids) used.add(id);
      proposals.push(proposalOf([a, middle, b], [via, to], score));
    }
    return proposals;
  },
};

/** A thing that more memories mention leads anywhere. */
const RARE = 5;

/** Edges between memories that mention one thing: a link, or something that few others mention. */
function graphOf(things: ReadonlyMap<string, Thing>, links: ReadonlySet<string>): Map<number, Edge[]> {
  const graph = new Map<number, Edge[]>();
  const join = (one: Mention, other: Mention, weight: number): void => {
    const [a, b] = [one.sentence.of, other.sentence.of];
    const edges = graph.get(a.memory.id) ?? [];
    graph.set(a.memory.id, edges);
    edges.push({ to: b.memory.id, weight, by: other, from: one, isLink: links.has(pairOf(a, b)) });
  };
  for (const { mentions, memories } of things.values()) {
    if (memories < 2 || memories > RARE) continue;
    for (const one of mentions)
      for (const other of mentions)
        if (one !== other && isTelling(one) && isTelling(other) && isSameBearer(one, other))
          join(one, other, 1 / (memories - 1));
  }
  return graph;
}

function pairOf(a: ReadMemory, b: ReadMemory): string {
  return [a.memory.id, b.memory.id].sort((x, y) => x - y).join(' ');
}

function isTelling({ kind, isUnsure, isMarked }: Mention): boolean {
  return kind !== 'known' && !isUnsure && (kind !== 'term' || isMarked);
}

/** The memory that a walk from one reaches most often in two steps by two different entities, and that no one would put beside it. */
function farthest(
  from: number,
  {
    graph,
    reading,
    view,
  }: { graph: ReadonlyMap<number, readonly Edge[]>; reading: Reading; view: DreamView },
): { from: number; via: Edge; to: Edge; score: number } | undefined {
  const here = reading.byId.get(from);
  const direct = new Set((graph.get(from) ?? []).map(({ to }) => to));
  const near = new Set(view.neighbours(from, 16).map(({ id }) => id));
  const reached = walk(from, graph);
  let best: { from: number; via: Edge; to: Edge; score: number } | undefined;
  for (const via of graph.get(from) ?? [])
    for (const to of graph.get(via.to) ?? []) {
      const there = reading.byId.get(to.to);
      const score = reached.get(to.to) ?? 0;
      const isFar = to.to > from && !direct.has(to.to) && !near.has(to.to);
      const isChain = to.by.id !== via.by.id && (to.isLink || via.isLink);
      if (
        !isFar ||
        !isChain ||
        score < ENOUGH ||
        score <= (best?.score ?? 0) ||
        !here ||
        !there ||
        sharesTopic(here, there)
      )
        continue;
      best = { from, via, to, score };
    }
  return best;
}

function sharesTopic(a: ReadMemory, b: ReadMemory): boolean {
  const { session } = a.memory;
  return (
    (session !== null && session === b.memory.session) || a.keyTerms.some((term) => b.keyTerms.includes(term))
  );
}

function walk(from: number, graph: ReadonlyMap<number, readonly Edge[]>): Map<number, number> {
  let at = new Map([[from, 1]]);
  for (let step = 0; step < STEPS; step++) {
    const next = new Map([[from, RESTART]]);
    for (const [id, share] of at) {
      const edges = graph.get(id) ?? [];
      const total = edges.reduce((sum, { weight }) => sum + weight, 0);
      for (const { to, weight } of edges)
        next.set(to, (next.get(to) ?? 0) + ((1 - RESTART) * share * weight) / total);
    }
    at = next;
  }
  return at;
}

function proposalOf(
  [a, middle, b]: readonly [ReadMemory, ReadMemory, ReadMemory],
  [via, to]: readonly [Edge, Edge],
  score: number,
): Proposal {
  return {
    strategy: 'rem',
    title: shorten(`From "${a.memory.key}" to "${b.memory.key}", by way of "${middle.memory.key}"`, 200),
    body: `"${a.memory.key}" (${dayOf(a)}) and "${middle.memory.key}" (${dayOf(middle)}) name ${via.by.text}; "${middle.memory.key}" and "${b.memory.key}" (${dayOf(b)}) name ${to.by.text}. The two ends have nothing else in common.`,
    evidence: [
      { key: a.memory.key, sentence: via.from.sentence.text },
      { key: middle.memory.key, sentence: via.by.sentence.text },
      { key: b.memory.key, sentence: to.by.sentence.text },
    ],
    confidence: Number(Math.min(0.6, 0.35 + score).toFixed(2)),
    change: { kind: 'link', from: a.memory.key, to: b.memory.key },
    content: `by way of ${[via.by.id, to.by.id].sort().join(' and ')}`,
  };
}
