import { readingOf, type ReadMemory, type ReadSentence } from './reading.ts';
import type { FactView, Proposal, Strategy } from './strategy.ts';
import { marksOf } from './marks.ts';
import { isSpecific } from './concepts.ts';
import { dayOf, shorten } from './telling.ts';

const MOST = 8;
const LEAST = 3;
const CLAUSES = 8;
/** Who that is, other memories do not say. */
const PRONOUN = /^(?:I|We|You|He|She|It|They|This|That|These|Those|There|Somebody|Everybody|Nobody)$/iu;

interface Said {
  readonly of: ReadMemory;
  readonly text: string;
  readonly at: number;
}

/** Puts what several memories state of one name into one memory, each clause with its source; what was superseded is left out. */
export const synthesize: Strategy = {
  name: 'synthesize',
  run(view, { progress, cancelled }) {
    const reading = readingOf(view);
    const bySubject = new Map<string, { name: string; said: Said[] }>();
    const add = (id: string, name: string, said: Said): void => {
      const entry = bySubject.get(id) ?? { name, said: [] };
      bySubject.set(id, entry);
      if (!entry.said.some(({ of }) => of === said.of)) entry.said.push(said);
    };
    for (const fact of current(view.facts())) {
      const of = reading.byId.get(fact.memoryId);
      if (of && fact.sentence !== '' && /^\p{Lu}/u.test(fact.subject) && !PRONOUN.test(fact.subject))
        add(fact.subjectNorm, fact.subject, { of, text: fact.sentence, at: fact.observedAt });
    }
    for (const [index, memory] of reading.memories.entries()) {
      if (index % 500 === 0) {
        if (cancelled()) return [];
        progress(index, reading.memories.length);
      }
      for (const sentence of memory.sentences) {
        const subject = subjectOf(sentence);
        if (subject)
          add(subject.term, subject.name, { of: memory, text: sentence.text, at: memory.memory.time });
      }
    }
    progress(1, 1);
    return [...bySubject]
      .filter(([, { said }]) => said.length >= LEAST)
      .sort(([a, x], [b, y]) => y.said.length - x.said.length || (a < b ? -1 : 1))
      .slice(0, MOST)
      .map(([id, { name, said }]) => proposalOf({ id, name }, said));
  },
};

/** Of facts that have one object at a time, the newest. */
function current(facts: readonly FactView[]): FactView[] {
  const newest = new Map<string, FactView>();
  for (const fact of facts) {
    if (fact.negated) continue;
    const id = `${fact.subjectNorm}|${fact.predicate}|${fact.functional ? '' : fact.objectNorm}`;
    const other = newest.get(id);
    if (!other || fact.observedAt >= other.observedAt) newest.set(id, fact);
  }
  return [...newest.values()];
}

const STATES =
  /^(?:['’]s)?,?(?:\s[\p{L}' -]{0,40}?,)?\s(?:is|has|lives|works|likes|loves|hates|prefers|owns|speaks|plays|needs|runs|uses|leads|wants|can|keeps|wears|studies|teaches|starts|comes from)\s/u;

/** The name with which a sentence begins, where it states something of it that holds. */
function subjectOf({ text, tokens, foreign }: ReadSentence): { term: string; name: string } | undefined {
  const [first, second] = tokens;
  if (!first || foreign || first.start > 2 || first.shape !== 'name' || !isSpecific(first.term))
    return undefined;
  const end = second?.shape === 'name' && second.start - first.end === 1 ? second.end : first.end;
  const { question, hypothetical, plan, past } = marksOf(text);
  if (
    question ||
    hypothetical ||
    plan ||
    past ||
    !STATES.test(text.slice(first.end === end ? first.end : end))
  )
    return undefined;
  return { term: first.term, name: text.slice(first.start, end).replace(/['’]s$/u, '') };
}

function proposalOf({ id, name }: { id: string; name: string }, said: readonly Said[]): Proposal {
  const sorted = [...said].sort((a, b) => a.at - b.at || a.of.memory.id - b.of.memory.id).slice(-CLAUSES);
  return {
    strategy: 'synthesize',
    title: shorten(`${name}: what ${said.length} memories say`, 200),
    body: sorted.map(({ text, of }) => `- ${text} ("${of.memory.key}", ${dayOf(of)})`).join('\n'),
    evidence: sorted.map(({ text, of }) => ({ key: of.memory.key, sentence: text })),
    confidence: Number(Math.min(0.8, 0.5 + said.length * 0.04).toFixed(2)),
    content: `about ${id}`,
  };
}
