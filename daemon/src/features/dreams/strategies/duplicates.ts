import { loadLexicon } from '../../../language/lexicon.ts';
import { isNumberWord, isOutage, isSide, negationsOf, plainText } from './near-text.ts';
import type { Reading, ReadMemory, Token } from './reading.ts';
import { marksOf } from './marks.ts';
import { isReworded, standApart } from './reworded.ts';
import { samenessOf } from './sameness.ts';
import { figuresIn } from './sense.ts';
import type { DreamView } from './strategy.ts';
import { saysOnce, tellsEvent } from './tense.ts';

/** Two memories that say the same; `alike` is 1 where they do so in the same words. */
export interface Duplicate {
  readonly one: ReadMemory;
  readonly other: ReadMemory;
  readonly alike: number;
}

interface Said {
  readonly of: ReadMemory;
  readonly terms: ReadonlySet<string>;
  /** The terms as written, in lower case. */
  readonly spelled: ReadonlyMap<string, string>;
  readonly names: string;
  readonly figures: string;
  readonly ids: ReadonlySet<string>;
  readonly negations: number;
  readonly isOccasion: boolean;
  readonly isEvent: boolean;
}

/** Shared weight of two texts, of all of their weight, above which they say the same where everything else that counts is equal. */
const SAME = { words: 0.8, withFigures: 0.62, withoutFigures: 0.72 } as const;
/** `ECONNRESET`, `max_size` and `TestHandover`, but not `PDF` or `WLAN`, for which one may say something else. */
const IDENTIFIER = /[\d_/@#]|^\p{Lu}{6,}$|\p{Ll}\p{Lu}\p{Ll}+\p{Lu}/u;
/** How alike what says one thing in other words counts. */
const REWORDED = 0.4;
/** A term that more memories have nominates no pair. */
const RARE = 12;

/** What is asked for, and perhaps done later. */
const WISHED = /(?<![\p{L}])(?:wants?|wish(?:es)?|would like|asks? for|hopes? for)(?![\p{L}])/iu;
/** `If it jams again, …` is said once for all. */
const INSTRUCTS = /^(?:if|when|whenever|wenn|falls|si|quand|cuando)\s/iu;

/** Whether a text tells of one time, so that two of two days tell of two. */
function tellsOfOneTime(text: string): boolean {
  return saysOnce(text) || tellsEvent(text) || isOutage(text);
}

/** Memories whose texts are equal but for case, punctuation and white space, by text. */
export function exactGroups(reading: Reading): ReadMemory[][] {
  const groups = Map.groupBy(reading.memories, ({ memory }) =>
    memory.isCut ? memory.digest : plainText(memory.value),
  );
  return [...groups.values()].filter((group) => group.length > 1 && saysEnough(group));
}

/** `Yes, please.` in two conversations is no duplicate, and what happened twice happened twice. */
function saysEnough(group: readonly ReadMemory[]): boolean {
  const [first] = group;
  if (!first) return false;
  const terms = first.sentences.flatMap(({ tokens }) => tokens.filter(({ says }) => says));
  const days = new Set(group.map(({ day }) => day));
  const words = first.sentences.reduce((sum, { tokens }) => sum + tokens.length, 0);
  return (
    (terms.length >= 3 || (terms.length >= 2 && words >= 4)) &&
    !(days.size > 1 && tellsOfOneTime(first.memory.value))
  );
}

/** Pairs that say the same in nearly the same words, or in others; best first. */
export function nearDuplicates(
  reading: Reading,
  view: DreamView,
  { isStopped, step }: { isStopped: () => boolean; step: (done: number) => void },
): Duplicate[] {
  const said = new Map(reading.memories.map((of) => [of.memory.id, saidBy(of)]));
  const found: Duplicate[] = [];
  const index = rareTerms(reading);
  const lexicon = loadLexicon();
  const known = { reading, lexicon };
  const sameness = samenessOf(reading, lexicon);
  for (const [at, one] of reading.memories.entries()) {
    if (isStopped()) break;
    if (at % 200 === 0) step(at);
    const ids = new Set(view.neighbours(one.memory.id, 8).map(({ id }) => id));
    for (const term of one.terms) for (const id of index.get(term) ?? []) ids.add(id);
    for (const id of ids) {
      if (id <= one.memory.id) continue;
      const [a, b] = [said.get(one.memory.id), said.get(id)];
      if (!a || !b) continue;
      const near = alikeness(a, b, reading);
      const isNear = near === 1 || (near > 0 && !sameness.areApart(a.of, b.of, near));
      const isSame =
        isNear ||
        (a.figures === b.figures &&
          (isReworded(a.of, b.of, known) || sameness.isSame(a.of, b.of, () => marginOf(a.of, b.of, view))));
      if (isSame) found.push({ one: a.of, other: b.of, alike: isNear ? near : REWORDED });
    }
  }
  return found.sort(
    (x, y) => y.alike - x.alike || x.one.memory.id - y.one.memory.id || x.other.memory.id - y.other.memory.id,
  );
}

/** By how much of the cosine two memories are nearer to each other than any third is to either; 0 where one is. */
function marginOf(a: ReadMemory, b: ReadMemory, view: DreamView): number {
  const ahead = (of: ReadMemory, other: ReadMemory): number => {
    const [first, second] = view.neighbours(of.memory.id, 2);
    return first?.id === other.memory.id ? first.cosine - (second?.cosine ?? 0) : 0;
  };
  return Math.min(ahead(a, b), ahead(b, a));
}

function rareTerms(reading: Reading): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const { memory, terms } of reading.memories)
    for (const term of terms) {
      if (reading.frequency(term) > RARE) continue;
      const ids = index.get(term);
      if (ids) ids.push(memory.id);
      else index.set(term, [memory.id]);
    }
  return index;
}

/** `Every other week` is every second one, and `Monday night` is Monday evening. */
function inOneWay(token: Token, text: string): Token {
  const [before, word] = [text.slice(0, token.start), token.text.toLowerCase()];
  if (word === 'second' && /every\s$/iu.test(before)) return { ...token, says: false };
  if (word === 'night' && /\p{L}day\s$/iu.test(before)) return { ...token, term: 'even' };
  return token;
}

function saidBy(of: ReadMemory): Said {
  const kept = of.sentences.flatMap(({ text: said, tokens }) =>
    tokens
      .map((token) => inOneWay(token, said))
      .filter(({ says, shape, text }) => says && shape !== 'number' && !isNumberWord(text)),
  );
  return {
    of,
    terms: new Set(kept.map(({ term }) => term)),
    spelled: new Map(kept.map(({ term, text }) => [term, text.toLowerCase()])),
    names: [...new Set(kept.filter(({ shape }) => shape === 'name').map(({ term }) => term))]
      .sort()
      .join(' '),
    figures: figuresIn(of),
    ids: new Set(
      kept.filter(({ shape, text }) => shape === 'id' && IDENTIFIER.test(text)).map(({ term }) => term),
    ),
    negations: negationsOf(of.memory.value),
    isOccasion: (saysOnce(of.memory.value) && !INSTRUCTS.test(of.memory.value)) || isOutage(of.memory.value),
    isEvent: tellsEvent(of.memory.value) || tellsEvent(of.memory.value.split(/[,;:.]/u, 1)[0] ?? ''),
  };
}

/** Whether one tells of what the other wanted done. */
function isDone(one: Said, other: Said): boolean {
  return one.isEvent && (WISHED.test(other.of.memory.value) || marksOf(other.of.memory.value).plan);
}

/** 0 where two texts do not say the same. */
function alikeness(a: Said, b: Said, reading: Reading): number {
  if (a.figures !== b.figures || a.negations % 2 !== b.negations % 2) return 0;
  if (a.of.memory.isCut || b.of.memory.isCut) return 0;
  if (
    (a.isOccasion || b.isOccasion || (a.isEvent && b.isEvent) || isDone(a, b) || isDone(b, a)) &&
    a.of.day !== b.of.day
  )
    return 0;
  if (a.terms.size < 3 || b.terms.size < 3) return 0;
  const onlyA = [...a.terms.difference(b.terms)];
  const onlyB = [...b.terms.difference(a.terms)];
  const typos = onlyA.filter((term) =>
    onlyB.some((other) => isTypo(a.spelled.get(term) ?? term, b.spelled.get(other) ?? other)),
  );
  const lostA = onlyA.filter((term) => !typos.includes(term));
  const lostB = onlyB.filter(
    (term) => !typos.some((typo) => isTypo(a.spelled.get(typo) ?? typo, b.spelled.get(term) ?? term)),
  );
  // An error code, a service: who names it tells of something else.
  if (lostA.some((term) => a.ids.has(term)) || lostB.some((term) => b.ids.has(term))) return 0;
  const isWord = (term: string) => a.of.keyTerms.includes(term) || b.of.keyTerms.includes(term);
  if (lostA.some((term) => tellsApart([term, a.spelled.get(term) ?? term], lostB.length === 0))) return 0;
  if (lostB.some((term) => tellsApart([term, b.spelled.get(term) ?? term], lostA.length === 0))) return 0;
  if (standApart(a.of, b.of)) return 0;
  const shared = weigh(a.terms.intersection(b.terms), reading) + weigh(typos, reading);
  const lost =
    weigh(
      lostA.filter((term) => !isWord(term)),
      reading,
    ) +
    weigh(
      lostB.filter((term) => !isWord(term)),
      reading,
    );
  const alike = (2 * shared) / (2 * shared + lost);
  const namesDiffer =
    a.names !== b.names &&
    lostA.some((t) => a.names.split(' ').includes(t)) &&
    lostB.some((t) => b.names.split(' ').includes(t));
  if (namesDiffer) return 0;
  const isOneSided = lostA.length === 0 || lostB.length === 0;
  // One word for another, and nothing else: `develop` is not `main`.
  const isSwap = lostA.length === 1 && lostB.length === 1;
  const needed = isSwap
    ? SAME.words
    : a.figures !== '' || (a.names !== '' && a.names === b.names)
      ? SAME.withFigures
      : isOneSided || lostA.length + lostB.length > 2
        ? SAME.withoutFigures
        : SAME.words;
  return alike >= needed ? alike : 0;
}

/** Whether a word that only one text has tells its thing from that of the other: a side, or an owner (`the neighbour's lease`). */
function tellsApart(spellings: readonly string[], isAlone: boolean): boolean {
  return spellings.some((word) => isSide(word, isAlone) || /\p{L}['’]s?$/u.test(word));
}

function weigh(terms: Iterable<string>, reading: Reading): number {
  let sum = 0;
  for (const term of terms) sum += reading.weight(term);
  return sum;
}

/** Whether two words of five letters or more differ in one letter, or in two neighbours that changed places. */
export function isTypo(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 1 || /\d/u.test(a + b))
    return false;
  let from = 0;
  while (from < a.length && a[from] === b[from]) from += 1;
  let toA = a.length;
  let toB = b.length;
  while (toA > from && toB > from && a[toA - 1] === b[toB - 1]) {
    toA -= 1;
    toB -= 1;
  }
  const [restA, restB] = [a.slice(from, toA), b.slice(from, toB)];
  return restA.length + restB.length <= 2 && restA !== restB
    ? true
    : restA.length === 2 && restA === [...restB].reverse().join('');
}
