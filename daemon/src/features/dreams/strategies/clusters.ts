import { isSpecific } from './concepts.ts';
import type { Reading, ReadMemory, ReadSentence } from './reading.ts';
import type { DreamView } from './strategy.ts';

/** Memories about one thing. */
export interface Cluster {
  /** What most of them name, the one that tells most first. */
  readonly terms: readonly string[];
  readonly members: readonly ReadMemory[];
}

const LARGEST = 12;

/**
 * Topics: mutual near neighbours that share a telling term, joined while they share it. The vectors only nominate; what holds a cluster
 * together is a term that two thirds of its memories have. Largest first.
 */
export function clustersOf(
  reading: Reading,
  view: DreamView,
  { least, isStopped }: { least: number; isStopped: () => boolean },
): Cluster[] {
  const near = new Map<number, number[]>();
  for (const [index, { memory }] of reading.memories.entries()) {
    if (index % 500 === 0 && isStopped()) return [];
    near.set(
      memory.id,
      view.neighbours(memory.id, 10).map(({ id }) => id),
    );
  }
  const most = Math.max(LARGEST, reading.memories.length * 0.03);
  const taken = new Set<number>();
  const clusters: Cluster[] = [];
  for (const seed of bySupport(reading, near)) {
    if (taken.has(seed.memory.id)) continue;
    const group = (near.get(seed.memory.id) ?? []).flatMap((id) => {
      const one = reading.byId.get(id);
      return one && !taken.has(id) && near.get(id)?.includes(seed.memory.id) ? [one] : [];
    });
    const cluster = heldTogether([seed, ...group], { reading, least, most });
    if (!cluster) continue;
    for (const { memory } of cluster.members) taken.add(memory.id);
    clusters.push(cluster);
  }
  const worth = ({ terms, members }: Cluster) => members.length * reading.weight(terms[0] ?? '');
  return clusters.sort((a, b) => worth(b) - worth(a));
}

/** Memories with many mutual neighbours first: the middle of a topic. */
function bySupport(reading: Reading, near: ReadonlyMap<number, readonly number[]>): ReadMemory[] {
  const mutual = (id: number) => (near.get(id) ?? []).filter((other) => near.get(other)?.includes(id)).length;
  return reading.memories
    .map((one) => ({ one, support: mutual(one.memory.id) }))
    .sort((a, b) => b.support - a.support || a.one.memory.id - b.one.memory.id)
    .map(({ one }) => one);
}

function heldTogether(
  group: readonly ReadMemory[],
  { reading, least, most }: { reading: Reading; least: number; most: number },
): Cluster | undefined {
  const counts = new Map<string, number>();
  for (const { sentences } of group)
    for (const term of new Set(
      sentences.flatMap(({ tokens }) => tokens.flatMap((token) => (token.says ? [token.term] : []))),
    ))
      counts.set(term, (counts.get(term) ?? 0) + 1);
  const [best] = [...counts]
    .filter(
      ([term, n]) => n >= least && reading.frequency(term) <= most && isSpecific(term) && term.length > 2,
    )
    .map(([term, n]) => ({ term, weight: n * reading.weight(term) }))
    .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1));
  if (!best) return undefined;
  const members = group.filter(({ terms }) => terms.has(best.term)).slice(0, LARGEST);
  if (members.length < least) return undefined;
  const shared = [...counts]
    .filter(([term]) => members.filter(({ terms }) => terms.has(term)).length * 3 >= members.length * 2)
    .map(([term]) => term)
    .sort((a, b) => reading.weight(b) - reading.weight(a));
  return {
    terms: [...new Set([best.term, ...shared])].slice(0, 4),
    members: [...members].sort((a, b) => a.memory.time - b.memory.time || a.memory.id - b.memory.id),
  };
}

/** How the memories of a cluster write a term, most often. */
export function spelled(term: string, members: readonly ReadMemory[]): string {
  const forms = new Map<string, number>();
  for (const { sentences } of members)
    for (const { tokens } of sentences)
      for (const token of tokens)
        if (token.term === term) {
          const text = token.text.replace(/['’]s$/u, '');
          forms.set(text, (forms.get(text) ?? 0) + 1);
        }
  return [...forms].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? term;
}

/**
 * The sentences that stand best for a cluster, verbatim: near to what all say, and not to those chosen already (maximal marginal relevance,
 * Carbonell and Goldstein 1998, λ = 0.7). At most one of a memory.
 */
export function centralSentences(
  members: readonly ReadMemory[],
  reading: Reading,
  count: number,
): ReadSentence[] {
  const termsOf = ({ tokens }: ReadSentence) =>
    new Set(tokens.flatMap(({ says, term }) => (says ? [term] : [])));
  const centre = new Map<string, number>();
  for (const { terms } of members) for (const term of terms) centre.set(term, (centre.get(term) ?? 0) + 1);
  const candidates = members.flatMap(({ sentences }) =>
    sentences
      .filter(
        ({ text }) => text.length >= 20 && text.length <= 320 && !text.endsWith('?') && !text.endsWith(':'),
      )
      .map((sentence) => ({ sentence, terms: termsOf(sentence) })),
  );
  const relevance = (terms: ReadonlySet<string>) =>
    [...terms].reduce((sum, term) => sum + ((centre.get(term) ?? 1) - 1) * reading.weight(term), 0) /
    Math.sqrt(terms.size + 4);
  const best = Math.max(1e-9, ...candidates.map(({ terms }) => relevance(terms)));
  const chosen: typeof candidates = [];
  while (chosen.length < count) {
    const open = candidates.filter(({ sentence }) => !chosen.some((one) => one.sentence.of === sentence.of));
    const [next] = open
      .map((one) => ({
        one,
        score:
          (0.7 * relevance(one.terms)) / best -
          0.3 * Math.max(0, ...chosen.map((other) => overlap(one.terms, other.terms))),
      }))
      .sort((a, b) => b.score - a.score);
    if (!next) break;
    chosen.push(next.one);
  }
  return chosen
    .map(({ sentence }) => sentence)
    .sort((a, b) => a.of.memory.time - b.of.memory.time || a.of.memory.id - b.of.memory.id);
}

function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((term) => b.has(term)).length;
  return shared / (a.size + b.size - shared || 1);
}
