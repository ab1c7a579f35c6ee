import type { Asked, Question } from './question.ts';
import type { Answering } from './reranking.ts';

/** Candidates in which a word may stand that is to count as known. */
const CLOSE = 5;
/** Candidates against which the best is held. */
const OTHERS = 10;
/** Less alike than this, a word is another one. */
const STRANGER = 0.35;
/** As alike as this, a word is said. */
const SAID = 0.5;
const SURELY_SAID = 0.8;

/** Whether memory knows of the topic at all: how the best candidate stands out, and which words stand in none. */
export function topicSigns({ words }: Pick<Question, 'words'>, ranked: readonly Answering[]) {
  const [best] = ranked;
  const content = words.flatMap((word, at) => (word.role === 'scaffold' ? [] : [{ word, at }]));
  const close = ranked.slice(0, CLOSE);
  const said = (one: Answering | undefined, at: number) =>
    Math.max(one?.evidence.here[at] ?? 0, one?.evidence.near[at] ?? 0);
  const most = (at: number) => Math.max(0, ...close.map((one) => said(one, at)));
  const absent = content.filter(({ at }) => most(at) < STRANGER);
  const massOf = (some: readonly { word: Asked }[]) => some.reduce((sum, { word }) => sum + word.weight, 0);
  const mass = massOf(content);
  const nouns = content.filter(({ word }) => word.role === 'noun' || word.isFocus);
  const counts = ranked
    .slice(0, OTHERS)
    .map((one) => content.filter(({ at }) => said(one, at) >= SURELY_SAID).length);
  const odds = ranked
    .flatMap(({ base }) => (base > 0 ? [Math.log(base / (1 - Math.min(base, 0.9999)))] : []))
    .sort((a, b) => b - a);
  const cosines = ranked.map(({ evidence }) => evidence.cosine);
  return {
    absent: mass === 0 ? 0 : massOf(absent) / mass,
    absentCount: absent.length,
    saidByBest: shareOf(content, ({ at }) => said(best, at) >= SAID),
    unknown: shareOf(content, ({ word }) => word.weight >= 0.999),
    searchStandsOut: (odds[0] ?? -6) - mean(odds.slice(1, 1 + OTHERS)),
    meaningStandsOut: (cosines[0] ?? 0) - mean(cosines),
    meaningOfAll: mean(cosines),
    mostWords: Math.max(0, ...counts),
    wordsOfBest: counts[0] ?? 0,
    leastNounOfAny: Math.min(1, ...nouns.map(({ at }) => most(at))),
    focus: best?.evidence.focus ?? 0,
    verbs: best?.evidence.verbs ?? 0,
  };
}

function shareOf<T>(all: readonly T[], wanted: (one: T) => boolean): number {
  return all.length === 0 ? 0 : all.filter(wanted).length / all.length;
}

function mean(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}
