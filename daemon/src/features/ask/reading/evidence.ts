import { counts, instancesOf, tellsOf } from '../question/answer-types.ts';
import { tellsChange } from '../../../language/change-words.ts';
import { foldText, WORD } from '../../../language/words.ts';
import { writesDateWithin } from '../../../language/written-dates.ts';
import { isWithin } from '../../../language/date-words.ts';
import { dot, type Likeness } from './likeness.ts';
import type { ContentWord } from '../question/content-words.ts';
import type { ReadPassage, ReadMemory } from './passages.ts';
import type { NameConcepts, WordVectors } from '../ports.ts';
import type { QuestionTerm, Question } from '../question/question.ts';
import { quoteOf, type Quote } from '../../../language/quoting.ts';

/** What is seen of a question in one passage and the memory around it; every share is 0..1. */
export interface Evidence {
  /** The sentence, row or item that fits best; undefined where the memory has none. */
  readonly passage: ReadPassage | undefined;
  /** It with what stands around it and belongs to it, as an answer quotes it. */
  readonly quote: Quote | undefined;
  /** A later sentence of the memory that tells a change of it. */
  readonly later?: Quote | undefined;
  /** How well the passage covers each of the question's words, with its headings and what is quoted with it. */
  readonly here: readonly number[];
  /** How well the memory with its key, its metadata and its date does. */
  readonly near: readonly number[];
  /** Share of the question's words, by their weight, that the passage says, in these or like words. */
  readonly said: number;
  /** … that the memory says. */
  readonly told: number;
  /** … in the same words only. */
  readonly literal: number;
  /** What of the names is there, 1 where the question has none; so the following. */
  readonly names: number;
  readonly nouns: number;
  /** What of the nouns that are asked for is there. */
  readonly focus: number;
  /** 1 where the passage has what such an answer has to have, 0 where not, 0.5 where the question does not say. */
  readonly type: number;
  /** Cosine of the question and the sentence. */
  readonly cosine: number;
  /** 1 where what the answer has to have stands beside a word of the question, less the further off it is. */
  readonly close: number;
  /** How long the memory is, as the logarithm of its passages. */
  readonly length: number;
}

/** Another phrase of the same concept. */
const SAME_CONCEPT = 0.9;
/** What a heading above or a sentence that is quoted with it says, the passage hardly has to say again. */
const AROUND = 0.9;
/** What is elsewhere in the memory counts less. */
const NEARBY = 0.8;
/** Passages of one memory that are looked at closely. */
const MOST_PASSAGES = 12;

export interface EvidenceDeps {
  likeness: Likeness;
  vectors: WordVectors;
  nameConcepts: NameConcepts;
}

/** The best passage of a memory for a question, and what is seen in it. */
export function evidenceIn(deps: EvidenceDeps, question: Question, memory: ReadMemory): Evidence {
  const { words } = question;
  const { passages } = memory;
  const vector = deps.vectors.encode(words.map(({ text }) => text).join(' '));
  const label = words.map((word) =>
    isOfDate(word, memory.time) ? 1 : closest(deps.likeness, word, memory.label),
  );
  const own = passages.map((passage) =>
    words.map((word) =>
      Math.max(
        closest(deps.likeness, word, passage.words),
        word.own !== undefined && passage.own?.has(word.own) === true ? 1 : 0,
        word.concepts.some((concept) => passage.concepts.has(concept)) ? SAME_CONCEPT : 0,
        word.span && writesDateWithin(passage.read, word.span) ? 1 : 0,
      ),
    ),
  );
  const near = words.map((_, at) => Math.max(label[at] ?? 0, ...own.map((said) => said[at] ?? 0)));
  // A passage is looked at for itself, and for those that are quoted with it.
  const types = new Map<number, number>();
  const typeAt = (place: number): number => {
    const known = types.get(place) ?? typeIn(deps.likeness, question, passages[place]);
    types.set(place, known);
    return known;
  };
  const chosen = passages
    .map((passage, place) => {
      const quote = quoteOf(memory.value, passages, { place });
      const here = words.map((word, at) => {
        const around = Math.max(
          closest(deps.likeness, word, passage.above),
          ...quote.places.map((other) => own[other]?.[at] ?? 0),
        );
        return Math.max(own[place]?.[at] ?? 0, AROUND * around);
      });
      const alone = shareOf(words, own[place] ?? []);
      return { passage, place, quote, here, alone, said: shareOf(words, here) };
    })
    .sort((a, b) => b.said + b.alone - a.said - a.alone)
    .slice(0, MOST_PASSAGES)
    .map((row) => {
      const { passage, place, quote, said, alone } = row;
      const type = Math.max(typeAt(place), AROUND * Math.max(0, ...quote.places.map(typeAt)));
      const sentence = deps.vectors.encode(passage.words.map(({ text }) => text).join(' '));
      const cosine = Math.max(0, dot(vector, sentence));
      return { ...row, type, cosine, rank: (said + alone) / 2 + 0.3 * type + 0.5 * cosine };
    });
  chosen.sort((a, b) => b.rank - a.rank);
  const best = chosen[0];
  const here = best?.here ?? words.map(() => 0);
  return {
    passage: best?.passage,
    quote: best?.quote,
    later:
      best && best.type >= SURE_TYPE && question.expects.length > 0
        ? laterIn(deps.likeness, { question, memory }, best)
        : undefined,
    here,
    near,
    ...sharesOf(words, here, near),
    type: best?.type ?? 0,
    cosine: best?.cosine ?? 0,
    close: best ? closeness(deps.likeness, question, best.passage) : 0,
    length: Math.log(Math.max(1, passages.length)) / 4,
  };
}

/** How much of a question, by kind of word, the passage (`here`) and the memory around it (`near`) say; each 0..1. */
export function sharesOf(words: readonly QuestionTerm[], here: readonly number[], near: readonly number[]) {
  const covered = here.map((share, at) => Math.max(share, NEARBY * (near[at] ?? 0)));
  const share = (wanted: (word: QuestionTerm) => boolean) => shareOf(words, covered, wanted);
  return {
    said: shareOf(words, here),
    told: share(() => true),
    literal: shareOf(
      words,
      here.map((value) => (value >= AROUND ? value : 0)),
    ),
    names: share(({ role }) => role === 'name' || role === 'date'),
    nouns: share(({ role }) => role === 'noun'),
    focus: share(({ isFocus, role }) => isFocus && role !== 'scaffold'),
  };
}

/** What a sentence has to have of what the best one says, so that it can tell a change of it. */
const SAME_MATTER = 0.3;

/** The last sentence behind the best one in its memory that tells a change of what is asked. */
function laterIn(
  likeness: Likeness,
  { question, memory }: { question: Question; memory: ReadMemory },
  best: { readonly passage: ReadPassage; readonly alone: number; readonly type: number },
): Quote | undefined {
  const { value, passages } = memory;
  const from = passages.indexOf(best.passage);
  const place = passages.findLastIndex(
    (passage, at) =>
      at > from &&
      tellsChange(passage.read) &&
      typeIn(likeness, question, passage) >= Math.min(SURE_TYPE, best.type) &&
      (passage.block === best.passage.block ||
        shareOf(
          question.words,
          question.words.map((word) => closest(likeness, word, passage.words)),
        ) >=
          SAME_MATTER * best.alone),
  );
  return place < 0 ? undefined : quoteOf(value, passages, { place, isAlone: true });
}
const SURE_TYPE = 0.8;

/** Whether a word says a date, or a part of one, on which a moment lies. */
function isOfDate({ role, text, span }: QuestionTerm, iso: string): boolean {
  if (!span) return role === 'date' && isWithin(text, iso);
  const time = Date.parse(iso);
  return time >= span.from && time < span.to;
}

function closest(likeness: Likeness, asked: ContentWord, said: readonly ContentWord[]): number {
  let best = 0;
  for (const word of said) {
    best = Math.max(best, likeness(asked, word));
    if (best === 1) break;
  }
  return best;
}

/**
 * The share (0..1) of the wanted words, by weight, that is there; 1 where no word is wanted. Words that only build the question count
 * little.
 */
export function shareOf(
  words: readonly QuestionTerm[],
  there: readonly number[],
  wanted: (word: QuestionTerm) => boolean = () => true,
): number {
  let [mass, covered] = [0, 0];
  for (const [at, word] of words.entries()) {
    if (!wanted(word)) continue;
    const weight = word.role === 'scaffold' ? SCAFFOLD * word.weight : word.weight;
    mass += weight;
    covered += weight * (there[at] ?? 0);
  }
  return mass === 0 ? 1 : covered / mass;
}
const SCAFFOLD = 0.2;

/** A figure that counts something else is hardly the one that is asked for. */
const OTHER_FIGURE = 0.3;
/** What is not the first type that is asked for counts less. */
const FURTHER = 0.6;
/** What counts as another word for what is counted. */
const ALIKE = 0.6;

const typeIn = (likeness: Likeness, question: Question, passage: ReadPassage | undefined) =>
  passage ? typeShare(likeness, question, passage) : 0;

function typeShare(likeness: Likeness, { expects, text, words }: Question, passage: ReadPassage): number {
  if (expects.length === 0) return 0.5;
  const sure = Math.max(
    0,
    ...expects.map((type, at) => tellsOf(type, passage.read, text) * (at === 0 ? 1 : FURTHER)),
  );
  if (sure === 0) return 0;
  const counted = words.filter(({ isFocus, role }) => isFocus && role === 'noun');
  if (expects[0] !== 'number' || counted.length === 0) return sure;
  const alike = new Set(
    passage.words
      .filter((word) => counted.some((one) => likeness(one, word) >= ALIKE))
      .map((word) => word.text),
  );
  return counts(passage.read, (word) => alike.has(word)) ? sure : OTHER_FIGURE;
}

/** Words between what the answer has to have and a word of the question that halve how close they are. */
const HALF = 4;

function closeness(likeness: Likeness, { expects, text, words }: Question, passage: ReadPassage): number {
  if (expects.length === 0) return 0.5;
  const found = expects.flatMap((type) => instancesOf(type, passage.read, text));
  if (found.length === 0) return 0;
  const asked = words.filter(({ role }) => role !== 'scaffold');
  const matching = new Set(
    passage.words
      .filter((word) => asked.some((one) => likeness(one, word) >= ALIKE))
      .map((word) => word.text),
  );
  const tokens = [...foldText(passage.read).toLowerCase().matchAll(WORD)];
  const at = (index: number) => tokens.filter((token) => token.index < index).length;
  const places = tokens.flatMap(([token], place) => (matching.has(token) ? [place] : []));
  const distances = found.flatMap(({ start, end }) => {
    const [from, to] = [at(start), Math.max(at(start), at(end) - 1)];
    return places
      .filter((place) => place < from || place > to)
      .map((place) => (place < from ? from - place : place - to));
  });
  return distances.length === 0 ? 0 : HALF / (HALF + Math.min(...distances) - 1);
}
