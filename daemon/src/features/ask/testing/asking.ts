import type { TagWords } from '../../../language/parts-of-speech.ts';
import { loadStaticTable } from '../../../models/static-table.ts';
import { type EvidenceDeps, evidenceIn } from '../reading/evidence.ts';
import { createLikeness } from '../reading/likeness.ts';
import { readMemory } from '../reading/passages.ts';
import type { AskMemory, AskScope } from '../ports.ts';
import { type Question, understand } from '../question/question.ts';
import { type Answering, scoreBy } from '../reading/reranking.ts';
import type { AskState } from '../state.ts';

const table = loadStaticTable();

/** Real vectors and no dictionary. */
export const evidenceDeps: EvidenceDeps = {
  likeness: createLikeness(table),
  vectors: table,
  nameConcepts: () => new Map(),
};

/** Every word without a capital is a noun, but for a few verbs. */
export const tagWords: TagWords = (text) =>
  (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => ({
    text: word,
    tags: new Set([/^(?:does|eat|eats|live|lives|like|likes|cost|teaches)$/.test(word) ? 'Verb' : 'Noun']),
  }));

/** A question as it is understood where every word is equally rare. */
export function asking(text: string, now = '2026-11-20T12:00:00Z'): Question {
  return understand(
    { text, now: new Date(now) },
    { rarity: (words) => words.map(() => 1), tagWords, nameConcepts: () => new Map() },
  );
}

export const scope: AskScope = {
  account: 1 as AskScope['account'],
  namespace: 'home',
  asOf: undefined,
  among: undefined,
};

/** The state before the first stage. */
export function stateOf(text: string): AskState {
  return { scope, question: asking(text), queries: [text], found: [], facts: [], ranked: [] };
}

export function memory(given: Partial<AskMemory> & Pick<AskMemory, 'key' | 'value'>): AskMemory {
  const created_at = '2026-05-01T10:00:00.000Z';
  return {
    id: 1,
    namespace: 'home',
    metadata: {},
    created_at,
    updated_at: given.created_at ?? created_at,
    ...given,
  };
}

/** A candidate with what is seen of a question in it. */
export function answering(
  given: Parameters<typeof memory>[0],
  question = asking('What is it?'),
  base = 0.5,
): Answering {
  const made = memory(given);
  const read = readMemory(made, { anchors: [], nameConcepts: () => new Map() });
  const seen = { base, place: 1, evidence: evidenceIn(evidenceDeps, question, read) };
  return { memory: made, ...seen, ...scoreBy(seen) };
}
