import type { ReadNamespace, ReadSentence } from '../notes/reading.ts';
import type { DreamView, FactView } from '../strategies/strategy.ts';
import { isClaim, tellsChange } from './claims.ts';

/** Two facts with the same subject and attribute, of which one thing holds at a time. */
export interface FactPair {
  readonly sentences: readonly [ReadSentence, ReadSentence];
  readonly subject: string;
  readonly said: string;
  readonly objects: readonly [string, string];
}

/** What grows of itself; what is said in many words may be the same in others. */
const GROWS = new Set(['age']);

/** Pairs of facts that cannot both hold; none for an attribute with three or more values. */
export function contradictingFacts(view: DreamView, reading: ReadNamespace): FactPair[] {
  const single = view
    .facts()
    .filter(
      ({ functional, negated, kind, predicate }) =>
        functional && !negated && kind !== 'text' && !GROWS.has(predicate),
    );
  const groups = Map.groupBy(single, ({ subjectNorm, predicate }) => `${subjectNorm}\n${predicate}`);
  return [...groups.values()].flatMap((facts): FactPair[] => {
    const byObject = Map.groupBy(facts, ({ objectNorm }) => objectNorm);
    const [one, other, ...more] = [...byObject.values()].map((same) => sentenceOf(same, reading));
    if (!one || !other || more.length > 0) return [];
    const [a, b] = [one.sentence, other.sentence];
    if (a.of === b.of || isOneOf(one.fact.objectNorm, other.fact.objectNorm)) return [];
    if (![a, b].every((sentence) => isClaim(sentence) && !tellsChange(sentence))) return [];
    const { subject, said } = one.fact;
    return [{ sentences: [a, b], subject, said, objects: [one.fact.object, other.fact.object] }];
  });
}

/** The sentence of the newest of facts that say the same. */
function sentenceOf(
  facts: readonly FactView[],
  reading: ReadNamespace,
): { fact: FactView; sentence: ReadSentence } | undefined {
  const sorted = facts.toSorted((a, b) => b.observedAt - a.observedAt || b.memoryId - a.memoryId);
  for (const fact of sorted) {
    const sentence = reading.byId
      .get(fact.memoryId)
      ?.sentences.find(
        ({ text }) => fact.sentence !== '' && (text.includes(fact.sentence) || fact.sentence.includes(text)),
      );
    if (sentence) return { fact, sentence };
  }
  return undefined;
}

/** `Porto` and `Porto, in Portugal` are one. */
function isOneOf(a: string, b: string): boolean {
  return a.includes(b) || b.includes(a);
}
