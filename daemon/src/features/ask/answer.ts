import { EVERY_NAMESPACE } from '@reverie/shared/contract/fields';
import { type Frame, frameOf } from './frames.ts';
import { timeOf } from './reading/passages.ts';
import type { Quote } from '../../language/quoting.ts';
import type { Question } from './question/question.ts';
import type { Answering } from './reading/reranking.ts';

/** Sentences of an answer. */
const MOST_SENTENCES = 3;
/**
 * A further sentence is nearly as likely as the first one and adds a little; where several things are asked for, it may be less likely
 * and says a good part of the question that was left out. Of the less likely ones for one thing, 3 of 136 were evidence (tune half).
 */
const FURTHER = { likely: 0.4, adds: 0.15 } as const;
const FURTHER_OF_SEVERAL = { likely: 0.01, adds: 0.2 } as const;

/** What an answer quotes of one memory, and what it is there for: the answer, what held before, or what names the thing that is asked about. */
export interface AnswerQuote {
  readonly from: Answering;
  /** What is quoted of it, where that is not its best passage. */
  readonly quote?: Pick<Quote, 'text'>;
  /** Milliseconds since when another value holds. */
  readonly until?: number | undefined;
  /** The same memory tells a change of it. */
  readonly isBefore?: boolean;
}

/** The answer without a model: what is quoted, word for word, each with its key and, where it has one or dates differ, its date. */
export function quotedAnswer(
  question: Question,
  quotes: readonly AnswerQuote[],
  isAsserted: boolean,
): string {
  const frame = frameOf(question.language);
  const day = (iso: string) => dayOf(iso, frame.locale);
  const differ = quotes.some(({ until }) => until !== undefined);
  const lines = quotes.map(({ from, quote, until, isBefore }) => {
    const date = dateOf(from.memory, question) ?? (differ ? from.memory.updated_at : undefined);
    // That it was stored on a day is no date of what it says.
    const stored = timeOf(from.memory) === undefined ? frame.stored : (when: string) => when;
    const source = date === undefined ? from.memory.key : `${from.memory.key}, ${stored(day(date))}`;
    const before = until === undefined ? '' : frame.until(day(new Date(until).toISOString()));
    const said = quote?.text ?? quoteFrom(from) ?? from.memory.value;
    return `${isBefore === true ? frame.beforeThat : before}"${said}" — ${source}`;
  });
  return [...(isAsserted ? [] : [frame.notSure]), ...lines].join('\n');
}

/** The words that are quoted of a memory; undefined where no passage of it was read. */
export function quoteFrom({ evidence }: Pick<Answering, 'evidence'>): string | undefined {
  return evidence.quote?.text;
}

/** The best passage, and up to two more that say what it leaves out of the question. */
export function chosenFor(question: Question, ranked: readonly Answering[]): Answering[] {
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

/** When what a memory says was so (ISO 8601): by its metadata, or else, for a question about time, when it was last changed. */
export function dateOf(memory: Answering['memory'], question: Question): string | undefined {
  return timeOf(memory) ?? (question.isAboutTime ? memory.updated_at : undefined);
}

/** `3 May 2026`, in UTC, as a language writes it. */
export function dayOf(iso: string, locale = 'en-GB'): string {
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(iso));
}

/** When it was that a question is answered as of, written out; undefined for now. */
function dayAt({ locale }: Frame, asOf: number | undefined): string | undefined {
  return asOf === undefined ? undefined : dayOf(new Date(asOf).toISOString(), locale);
}

/** Says that there is nothing to answer from: a namespace that does not exist, or that is empty. */
export function emptyAnswer(frame: Frame, namespace: string, asOf: number | undefined): string {
  const where = namespace === EVERY_NAMESPACE ? '' : frame.inNamespace(namespace);
  return frame.nothingIn(where, dayAt(frame, asOf));
}

/** Says that no memory answers, and which words of the question none has. */
export function noAnswer(frame: Frame, missing: readonly string[], asOf: number | undefined): string {
  const known = frame.noAnswer(dayAt(frame, asOf));
  if (missing.length === 0) return known;
  return `${known} ${frame.mentionsNone(missing.map((word) => `“${word}”`).join(', '))}`;
}
