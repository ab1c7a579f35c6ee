import { readNamespace, type ReadNamespace, type ReadMemory } from '../notes/reading.ts';
import type { FactView, Proposal, Strategy } from '../strategies/strategy.ts';
import { firstSentence, shorten } from '../notes/day-and-quote.ts';

const DAY = 86_400_000;
/** Younger memories are not archived, however little they were asked for. */
const OLD = 180 * DAY;
/** Longer notes say more than the facts that were found in them. */
const SENTENCES = 2;
const MOST = 10;

/** Proposes to archive what nobody recalled in half a year and a newer note replaces. Silent where nothing was ever recalled. */
export const sleep: Strategy = {
  name: 'sleep',
  run(view, { progress }) {
    const recalled = new Set(view.recalls().map(({ memoryId }) => memoryId));
    if (recalled.size === 0) return [];
    const reading = readNamespace(view);
    const replaced = replacedBy(view.facts(), reading);
    progress(1, 1);
    return reading.memories
      .flatMap((of) => {
        const { id, updatedAt, class: kind } = of.memory;
        const newer = replaced.get(id);
        const isIdle = kind === 'note' && !recalled.has(id) && view.now - updatedAt > OLD;
        return newer && isIdle && of.sentences.length <= SENTENCES ? [proposalOf(of, newer)] : [];
      })
      .slice(0, MOST);
  },
};

/** Memories of which each fact has a newer value in another one; the one that replaces it is that of its first fact. */
function replacedBy(facts: readonly FactView[], reading: ReadNamespace): Map<number, ReadMemory> {
  const bySlot = Map.groupBy(facts, ({ subjectNorm, predicate }) => `${subjectNorm}|${predicate}`);
  const newerOf = (fact: FactView): ReadMemory | undefined => {
    const newer = bySlot
      .get(`${fact.subjectNorm}|${fact.predicate}`)
      ?.filter(
        (other) =>
          other.validFrom > fact.validFrom &&
          other.objectNorm !== fact.objectNorm &&
          other.memoryId !== fact.memoryId,
      );
    return fact.functional && !fact.negated ? reading.byId.get(newer?.at(-1)?.memoryId ?? NaN) : undefined;
  };
  return new Map(
    [...Map.groupBy(facts, ({ memoryId }) => memoryId)].flatMap(([id, all]) => {
      const newer = all.map(newerOf);
      const [first] = newer;
      return first && newer.every((one) => one !== undefined) ? [[id, first] as const] : [];
    }),
  );
}

function proposalOf(of: ReadMemory, newer: ReadMemory): Proposal {
  const said = firstSentence(of);
  return {
    strategy: 'sleep',
    title: `Archive "${shorten(said, 150)}"? A newer note replaces it`,
    body: `"${of.memory.key}" was not recalled in the last 180 days, and "${newer.memory.key}" says what holds now: ${firstSentence(newer)}\nAn archived memory is kept, and found where one asks for it.`,
    evidence: [of, newer].map((one) => ({ key: one.memory.key, sentence: firstSentence(one) })),
    confidence: 0.6,
    change: { kind: 'archive', keys: [of.memory.key] },
    content: `archive ${of.memory.key}`,
  };
}
