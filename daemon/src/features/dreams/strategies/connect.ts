import { type Entity, rareEntities } from './entities.ts';
import { type Reading, readingOf, type ReadMemory } from './reading.ts';
import type { Proposal, Strategy } from './strategy.ts';
import { dayOf, shorten } from './telling.ts';

const MOST = 20;
/** An entity that more memories name is a topic, and links nothing that search would not. */
const RARE = 3;
const ENOUGH = 0.66;
/** Who says so himself knows that two things only have a name in common. */
const DIFFERENT =
  /nothing to do with|different (?:thing )?from|not to be confused|another one|not the same|namesake|no relation|unrelated/iu;

/** An entity as either memory names it, and how many memories do. */
type Shared = readonly [Entity, Entity, number];

interface Link {
  readonly a: ReadMemory;
  readonly b: ReadMemory;
  readonly entities: readonly Shared[];
  readonly strength: number;
}

/** Finds memories that speak of the same rare thing (a part number, a library, a name) and share few other words. */
export const connect: Strategy = {
  name: 'connect',
  run(view, { progress, cancelled }) {
    const reading = readingOf(view);
    const pairs = new Map<string, { a: ReadMemory; b: ReadMemory; entities: Shared[] }>();
    for (const { in: having } of rareEntities(reading, RARE))
      for (const [index, one] of having.entries())
        for (const other of having.slice(index + 1)) {
          if (!isSame(one.entity, other.entity) || isTogether(one.memory, other.memory)) continue;
          const id = `${one.memory.memory.id} ${other.memory.memory.id}`;
          const pair = pairs.get(id) ?? { a: one.memory, b: other.memory, entities: [] };
          pair.entities.push([one.entity, other.entity, having.length]);
          pairs.set(id, pair);
        }
    if (cancelled()) return [];
    const links = [...pairs.values()]
      .map((pair): Link => ({ ...pair, strength: strengthOf(pair, reading) }))
      .filter(({ strength }) => strength >= ENOUGH)
      .sort(
        (x, y) => y.strength - x.strength || x.a.memory.id - y.a.memory.id || x.b.memory.id - y.b.memory.id,
      );
    progress(1, 1);
    return links.slice(0, MOST).map(proposalOf);
  },
};

/** Two surnames with different first names are two people. */
function isSame(a: Entity, b: Entity): boolean {
  return a.beside.length === 0 || b.beside.length === 0 || a.beside.some((name) => b.beside.includes(name));
}

function isTogether({ memory: a }: ReadMemory, { memory: b }: ReadMemory): boolean {
  return a.session !== null && a.session === b.session;
}

function strengthOf({ a, b, entities }: Omit<Link, 'strength'>, reading: Reading): number {
  const weigh = (terms: Iterable<string>) => [...terms].reduce((sum, term) => sum + reading.weight(term), 0);
  const named = new Set(entities.flatMap(([one]) => [one.id, ...one.id.split(/[-/.]/u)]));
  const others = [...a.terms].filter((term) => b.terms.has(term) && !named.has(term));
  const overlap = weigh(others) / Math.min(weigh(a.terms), weigh(b.terms));
  const best = Math.max(...entities.map(([one, other, count]) => valueOf(one, other) - (count - 2) * 0.1));
  // `work` is no topic, `invoices` is one.
  const isTopical = (term: string) => reading.frequency(term) <= Math.max(6, reading.memories.length * 0.04);
  const topics = a.keyTerms.some((term) => isTopical(term) && b.keyTerms.includes(term)) ? -0.25 : 0.05;
  const apart = Math.abs(a.day - b.day) >= 3 ? 0.05 : 0;
  const isTopic = entities.every(
    ([{ id, kind }]) => kind === 'name' && (a.keyTerms.includes(id) || b.keyTerms.includes(id)),
  )
    ? -0.1
    : 0;
  if (DIFFERENT.test(`${a.memory.value}\n${b.memory.value}`)) return 0;
  return best + topics + isTopic + apart - Math.max(0, overlap - 0.1) * 0.8;
}

function valueOf(one: Entity, other: Entity): number {
  if (one.kind === 'number') return 0.85;
  if (one.kind === 'code') return 0.7;
  if (one.kind === 'acronym') return 0.5;
  return one.beside.some((name) => other.beside.includes(name)) ? 0.75 : 0.55;
}

function proposalOf({ a, b, entities, strength }: Link): Proposal {
  const [[one, other] = []] = [...entities].sort((x, y) => valueOf(y[0], y[1]) - valueOf(x[0], x[1]));
  if (!one || !other) throw new RangeError('a link has an entity');
  return {
    strategy: 'connect',
    title: shorten(`${one.text} stands in "${a.memory.key}" and in "${b.memory.key}"`, 200),
    body: `"${a.memory.key}" (${dayOf(a)}) and "${b.memory.key}" (${dayOf(b)}) both name ${[...new Set(entities.map(([entity]) => entity.text))].join(', ')}, which hardly any other memory does, and have little else in common.`,
    evidence: [
      { key: a.memory.key, sentence: one.sentence },
      { key: b.memory.key, sentence: other.sentence },
    ],
    confidence: Number(Math.min(0.9, strength).toFixed(2)),
    change: { kind: 'link', from: a.memory.key, to: b.memory.key },
    content: `link ${one.id}`,
  };
}
