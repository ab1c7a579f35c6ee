import type { Judgement } from './judgement.ts';
import { timeOf } from './passages.ts';
import type { Question } from './question.ts';
import type { Answering } from './reranking.ts';

/** Sentences of an answer. */
const MOST_SENTENCES = 3;
/**
 * A further sentence is nearly as likely as the first one and adds a little; where several things are asked for, it may be less likely
 * and says a good part of the question that was left out. Of the less likely ones for one thing, 3 of 136 were evidence (tune half).
 */
const FURTHER = { likely: 0.4, adds: 0.15 } as const;
const FURTHER_OF_SEVERAL = { likely: 0.01, adds: 0.2 } as const;

/** The answer without a model: the sentences that answer, word for word, each with its key and, where it has one, its date. */
export function quotedAnswer(question: Question, ranked: readonly Answering[]): string {
  return chosenFor(question, ranked)
    .map(({ memory, evidence }) => {
      const date = dateOf(memory, question);
      // That it was stored on a day is no date of what it says.
      const stored = timeOf(memory) === undefined ? 'stored ' : '';
      const source = date === undefined ? memory.key : `${memory.key}, ${stored}${dayOf(date)}`;
      return `"${quoteFrom({ memory, evidence }) ?? memory.value}" — ${source}`;
    })
    .join('\n');
}

/** Characters of a quote of two sentences. */
const LONGEST_QUOTE = 400;

/** The sentence of a memory that answers, word for word, with the one beside it that it needs; undefined where none was read. */
export function quoteFrom({ memory, evidence }: Pick<Answering, 'memory' | 'evidence'>): string | undefined {
  const { passage, beside } = evidence;
  if (!passage || !beside) return passage?.text;
  const { value } = memory;
  for (const [first, then] of [
    [passage.text, beside.text],
    [beside.text, passage.text],
  ] as const) {
    const from = value.indexOf(first);
    const blank =
      from < 0 ? undefined : /^[^\S\r\n]*/u.exec(value.slice(from + first.length, from + LONGEST_QUOTE))?.[0];
    const size = first.length + (blank?.length ?? 0) + then.length;
    if (blank !== undefined && size <= LONGEST_QUOTE && value.startsWith(then, from + size - then.length))
      return value.slice(from, from + size);
  }
  return passage.text;
}

/** The best sentence, and up to two more that say what it leaves out of the question. */
function chosenFor(question: Question, ranked: readonly Answering[]): Answering[] {
  const [first] = ranked;
  if (!first) return [];
  const chosen = [first];
  const weights = question.words.map(({ role, weight }) => (role === 'scaffold' ? 0 : weight));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const worth = question.isSeveral ? [FURTHER, FURTHER_OF_SEVERAL] : [FURTHER];
  for (const next of ranked.slice(1, 8)) {
    if (chosen.length === MOST_SENTENCES) break;
    const added = weights.reduce((sum, weight, at) => {
      const had = Math.max(...chosen.map(({ evidence }) => evidence.here[at] ?? 0));
      return sum + weight * Math.max(0, (next.evidence.here[at] ?? 0) - had);
    }, 0);
    const isNew = chosen.every(({ evidence }) => evidence.passage?.text !== next.evidence.passage?.text);
    const isWorth = worth.some(
      ({ likely, adds }) => next.score >= likely * first.score && added >= adds * total,
    );
    if (isNew && total > 0 && isWorth) chosen.push(next);
  }
  return chosen;
}

/** When what a memory says was so: its metadata's time; for a question about time, else when it was stored as it is. */
export function dateOf(memory: Answering['memory'], question: Question): string | undefined {
  return timeOf(memory) ?? (question.isAboutTime ? memory.updated_at : undefined);
}

/** `3 May 2026`, in UTC. */
export function dayOf(iso: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(iso));
}

/** Says that there is nothing to answer from: a namespace that does not exist, or that is empty. */
export function emptyAnswer(namespace: string, asOf: number | undefined): string {
  return asOf === undefined
    ? `Nothing is in memory in the namespace “${namespace}”.`
    : `Nothing was in memory in the namespace “${namespace}” on ${dayOf(new Date(asOf).toISOString())}.`;
}

/** Says that nothing answers, and where the topic is known, what is missing of it. */
export function noAnswer(
  { mentions, missing }: Pick<Extract<Judgement, { found: false }>, 'mentions' | 'missing'>,
  asOf: number | undefined,
): string {
  const known =
    asOf === undefined
      ? 'Nothing in memory answers this.'
      : `Nothing that was in memory on ${dayOf(new Date(asOf).toISOString())} answers this.`;
  if (mentions.length === 0) return known;
  const quoted = (words: readonly string[]) => words.map((word) => `“${word}”`).join(', ');
  return missing.length === 0
    ? `${known} It mentions ${quoted(mentions)}, but not what is asked.`
    : `${known} It mentions ${quoted(mentions)}, but not ${quoted(missing)}.`;
}
