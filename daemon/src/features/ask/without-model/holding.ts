import { tellsChange } from '../../../language/change-words.ts';
import { inEnglish } from '../../../language/abroad/in-english.ts';
import { timeOf } from '../reading/passages.ts';
import type { Question } from '../question/question.ts';
import type { Answering } from '../reading/reranking.ts';

/** Candidates among which a newer value is looked for. */
const CLOSE = 8;
const WEEK_MS = 7 * 86_400_000;
/** The first candidate is about what is asked, so that others can be held against it. */
const ON_TOPIC = 0.3;

/** What a newer candidate has to have of what the first one has. */
interface Least {
  readonly score: number;
  readonly told: number;
  readonly cosine: number;
  readonly focus: number;
}
const WHERE_CHANGED: Least = { score: 0.02, told: 0.5, cosine: 0.5, focus: 0 };
const WHERE_STATED: Least = { score: 0.08, told: 0.7, cosine: 0.7, focus: 0.8 };
/** Less than that, and the newer one may still be of the same matter. */
const PERHAPS: Least = { score: 0.01, told: 0.4, cosine: 0.4, focus: 0 };

/** Questions about what was: their answer is the value of that time. */
const ABOUT_PAST =
  /\b(?:used to|before|first|originally|initially|previous(?:ly)?|former(?:ly)?|last (?:year|month|week|time)|ago|in (?:19|20)\d\d)\b|\b(?:früher|damals|zuvor|avant|autrefois)\b/iu;

/** When what a memory says was so, in ms since 1970: by its metadata, else when it was last changed. */
export const saidAt = ({ memory }: Answering): number => Date.parse(timeOf(memory) ?? memory.updated_at);

/** Which of several values of one thing holds now. */
export interface Holding {
  /** The newest of those that surely say it, where that is not the first candidate. */
  readonly now: Answering | undefined;
  /** A newer one may say it as well, so that the first one may be out of date. */
  readonly isOpen: boolean;
}

/**
 * Looks among the candidates for a newer value of what the first one says: a week newer or more, of the type that the answer has to have,
 * with the same names, and nearly as much of the question; less is enough where its words tell of a change (docs/decisions/0012).
 */
export function holdingOf(question: Question, ranked: readonly Answering[]): Holding {
  const [best] = ranked;
  if (!best || best.score < ON_TOPIC || ABOUT_PAST.test(question.text))
    return { now: undefined, isOpen: false };
  const newer = ranked
    .slice(1, CLOSE)
    .filter((one) => saidAt(one) >= saidAt(best) + WEEK_MS && saysOther(one, best));
  const has = (one: Answering, least: Least): boolean => {
    const [here, there] = [one.evidence, best.evidence];
    return (
      one.score >= least.score * best.score &&
      here.type >= Math.min(0.4, there.type) &&
      here.names >= 0.9 * there.names &&
      here.told >= least.told * there.told &&
      here.cosine >= least.cosine * there.cosine &&
      here.focus >= least.focus * there.focus
    );
  };
  const surely = newer.filter(
    (one) =>
      has(one, WHERE_STATED) ||
      (tellsChange(inEnglish(one.evidence.quote?.text ?? '')) && has(one, WHERE_CHANGED)),
  );
  surely.sort((a, b) => saidAt(b) - saidAt(a));
  return { now: surely[0], isOpen: newer.some((one) => has(one, PERHAPS)) };
}

/** Whether a passage has a figure or a name that another one lacks: what only says the same again changes nothing. */
function saysOther(one: Answering, best: Answering): boolean {
  const known = new Set(best.evidence.passage?.words.map(({ text }) => text));
  return (one.evidence.passage?.words ?? []).some(
    ({ text, isName }) => (isName || /\p{N}/u.test(text)) && !known.has(text),
  );
}
