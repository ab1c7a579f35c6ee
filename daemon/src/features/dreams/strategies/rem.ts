import { entitiesOf, type Entity } from './entities.ts';
import { readingOf, type Reading, type ReadMemory } from './reading.ts';
import type { DreamView, Proposal, Strategy } from './strategy.ts';
import { dayOf, shorten } from './telling.ts';

const MOST = 3;
/** Walks of a seed, and how likely each step goes back to where it began. */
const STEPS = 20;
const RESTART = 0.3;
/** A walk that reaches nothing often enough found chance. */
const ENOUGH = 0.04;

interface Edge {
  readonly to: number;
  readonly weight: number;
  readonly by: Entity;
}

/**
 * Associations that nobody asked for: random walk with restart (Tong, Faloutsos and Pan 2006), by power iteration and so without chance, over
 * the graph of shared entities. Two memories that are no neighbours but that a walk connects by way of a third are proposed, with the third.
 */
export const rem: Strategy = {
  name: 'rem',
  run(view, { progress, cancelled }) {
    const reading = readingOf(view);
    const graph = graphOf(reading);
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
      proposals.push(proposalOf([a, middle, b], [via.by, to.by], score));
    }
    return proposals;
  },
};

/** Edges between memories that share an identifier or a full name that two or three of them have. */
function graphOf(reading: Reading): Map<number, Edge[]> {
  const having = new Map<string, { id: number; entity: Entity }[]>();
  for (const memory of reading.memories)
    for (const entity of entitiesOf(memory, reading.frequency)) {
      if (entity.kind === 'acronym' || (entity.kind === 'name' && entity.beside.length === 0)) continue;
      // Of a name only the full one is a thing that two memories can share by more than chance.
      const id = entity.kind === 'name' ? [entity.id, ...entity.beside].sort().join(' ') : entity.id;
      const list = having.get(id) ?? [];
      having.set(id, list);
      list.push({ id: memory.memory.id, entity });
    }
  const graph = new Map<number, Edge[]>();
  for (const list of having.values()) {
    if (list.length < 2 || list.length > 3) continue;
    for (const one of list)
      for (const other of list)
        if (one !== other)
          graph.set(one.id, [
            ...(graph.get(one.id) ?? []),
            { to: other.id, weight: 1 / (list.length - 1), by: other.entity },
          ]);
  }
  return graph;
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
      const isFar = to.to > from && !direct.has(to.to) && !near.has(to.to) && to.by.id !== via.by.id;
      if (
        !isFar ||
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
  [first, second]: readonly [Entity, Entity],
  score: number,
): Proposal {
  const sentenceOf = (memory: ReadMemory, entity: Entity) =>
    memory.sentences.find(({ text }) => text.toLowerCase().includes(entity.text.toLowerCase()))?.text ??
    entity.sentence;
  return {
    strategy: 'rem',
    title: shorten(`From "${a.memory.key}" to "${b.memory.key}", by way of "${middle.memory.key}"`, 200),
    body: `"${a.memory.key}" (${dayOf(a)}) and "${middle.memory.key}" (${dayOf(middle)}) name ${first.text}; "${middle.memory.key}" and "${b.memory.key}" (${dayOf(b)}) name ${second.text}. The two ends have nothing else in common.`,
    evidence: [
      { key: a.memory.key, sentence: sentenceOf(a, first) },
      { key: middle.memory.key, sentence: first.sentence },
      { key: b.memory.key, sentence: second.sentence },
    ],
    confidence: Number(Math.min(0.6, 0.35 + score).toFixed(2)),
    change: { kind: 'link', from: a.memory.key, to: b.memory.key },
    content: `by way of ${[first.id, second.id].sort().join(' and ')}`,
  };
}
