import { type GrammarList, says, tellsPast } from '../../../language/grammar.ts';
import { readNamespace, type ReadMemory, type ReadSentence } from '../notes/reading.ts';
import type { FactView, Proposal, Strategy } from '../strategies/strategy.ts';
import { dayOf, shorten } from '../notes/day-and-quote.ts';
import { isName } from './named-things.ts';

const MOST = 8;
const LEAST = 3;
const CLAUSES = 8;

/** What is imagined, planned or of this morning does not hold. */
const NOT_NOW: readonly GrammarList[] = ['imagined', 'to-come', 'just-now'];

interface Said {
  readonly of: ReadMemory;
  readonly text: string;
  readonly at: number;
}

/** Puts what several notes state of one name into one memory, each sentence with its source; what was superseded is left out. */
export const synthesize: Strategy = {
  name: 'synthesize',
  run(view, { progress, cancelled }) {
    const reading = readNamespace(view);
    const bySubject = new Map<string, { name: string; said: Said[] }>();
    const add = (id: string, name: string, said: Said): void => {
      const entry = bySubject.get(id) ?? { name, said: [] };
      bySubject.set(id, entry);
      if (!entry.said.some(({ of, text }) => of === said.of || text === said.text)) entry.said.push(said);
    };
    for (const fact of current(view.facts())) {
      const of = reading.byId.get(fact.memoryId);
      if (of && fact.sentence !== '' && !/^(?:user|my)/u.test(fact.subjectNorm) && isName(fact.subject))
        add(fact.subjectNorm, fact.subject, { of, text: fact.sentence, at: fact.observedAt });
    }
    for (const [index, memory] of reading.memories.entries()) {
      if (index % 500 === 0) {
        if (cancelled()) return [];
        progress(index, reading.memories.length);
      }
      for (const sentence of memory.sentences) {
        const subject = subjectOf(sentence);
        if (subject !== undefined)
          add(subject.toLowerCase(), subject, { of: memory, text: sentence.text, at: memory.memory.time });
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

/** The name with which a sentence begins, where it states something of it that holds: nothing asked, imagined, planned or past. */
function subjectOf({ text, tokens, foreign }: ReadSentence): string | undefined {
  const [first, second] = tokens;
  if (!first || foreign || first.start > 0 || first.shape !== 'name') return undefined;
  const end = second?.shape === 'name' && second.start - first.end === 1 ? second.end : first.end;
  const name = text.slice(0, end).replace(/['’]s$/u, '');
  if (!isName(name) || !/^(?:['’]s)? \p{Ll}/u.test(text.slice(name.length))) return undefined;
  if (text.endsWith('?') || tellsPast(text) || NOT_NOW.some((list) => says(text, list))) return undefined;
  return name;
}

function proposalOf({ id, name }: { id: string; name: string }, said: readonly Said[]): Proposal {
  const sorted = [...said].sort((a, b) => a.at - b.at || a.of.memory.id - b.of.memory.id).slice(-CLAUSES);
  return {
    strategy: 'synthesize',
    title: shorten(`${name}, from ${said.length} notes`, 200),
    body: sorted.map(({ text, of }) => `- ${text} ("${of.memory.key}", ${dayOf(of)})`).join('\n'),
    evidence: sorted.map(({ text, of }) => ({ key: of.memory.key, sentence: text })),
    confidence: Number(Math.min(0.8, 0.5 + said.length * 0.04).toFixed(2)),
    content: `about ${id}`,
  };
}
