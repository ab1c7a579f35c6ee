import { counts, instancesOf, tellsOf } from './answer-types.ts';
import { foldText, WORD } from '../../language/words.ts';
import { writesDateWithin } from '../../language/written-dates.ts';
import { isWithin } from './date-words.ts';
import { dot, type Likeness } from './likeness.ts';
import type { Passage, ReadMemory, Word } from './passages.ts';
import type { NameConcepts, WordVectors } from './ports.ts';
import type { Asked, Question } from './question.ts';

/** What is seen of a question in one sentence and the memory around it; every share is 0..1. */
export interface Evidence {
  readonly passage: Passage | undefined;
  /** A sentence next to it without which it is not understood, or which says what is asked for. */
  readonly beside: Passage | undefined;
  /** How well the sentence covers each of the question's words. */
  readonly here: readonly number[];
  /** How well the memory with its key, its metadata and its date does. */
  readonly near: readonly number[];
  /** Share of the question's words, by their weight, that the sentence says itself, in these or like words. */
  readonly said: number;
  /** … that the sentence, its neighbours, the key or the metadata say. */
  readonly told: number;
  /** … in the same words only. */
  readonly literal: number;
  /** What of the names is there, 1 where the question has none; so the following. */
  readonly names: number;
  readonly nouns: number;
  readonly verbs: number;
  /** What of the nouns that are asked for is there. */
  readonly focus: number;
  /** 1 where the sentence has what such an answer has to have, 0 where not, 0.5 where the question does not say. */
  readonly type: number;
  /** The same of the memory. */
  readonly typeNear: number;
  /** Cosine of the question and the sentence. */
  readonly cosine: number;
  /** 1 where what the answer has to have stands beside a word of the question, less the further off it is. */
  readonly close: number;
}

/** Another phrase of the same concept. */
const SAME_CONCEPT = 0.9;
/** What is not in the sentence itself counts less. */
const NEARBY = 0.8;
/** Sentences of one memory that are looked at closely. */
const MOST_PASSAGES = 12;

export interface EvidenceDeps {
  likeness: Likeness;
  vectors: WordVectors;
  nameConcepts: NameConcepts;
}

/** The best sentence of a memory for a question, and what is seen in it. */
export function evidenceIn(deps: EvidenceDeps, question: Question, memory: ReadMemory): Evidence {
  const { words } = question;
  const vector = deps.vectors.encode(words.map(({ text }) => text).join(' '));
  const label = words.map((word) =>
    isOfDate(word, memory.time) ? 1 : closest(deps.likeness, word, memory.label),
  );
  const rows = memory.passages.map((passage) => {
    const alike = words.map((word) => closest(deps.likeness, word, passage.words));
    const here = words.map((word, at) =>
      Math.max(
        alike[at] ?? 0,
        word.concepts.some((concept) => passage.concepts.has(concept)) ? SAME_CONCEPT : 0,
        word.span && writesDateWithin(passage.text, word.span) ? 1 : 0,
      ),
    );
    return { passage, alike, here };
  });
  const near = words.map((_, at) => Math.max(label[at] ?? 0, ...rows.map(({ here }) => here[at] ?? 0)));
  const told = (here: readonly number[]) =>
    here.map((share, at) => Math.max(share, NEARBY * (near[at] ?? 0)));
  const chosen = rows
    .map((row) => ({ row, share: shareOf(words, row.here) }))
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST_PASSAGES)
    .map(({ row: { passage, alike, here }, share: said }) => {
      const type = typeShare(deps.likeness, question, passage);
      const sentence = deps.vectors.encode(passage.words.map(({ text }) => text).join(' '));
      const cosine = Math.max(0, dot(vector, sentence));
      return { passage, alike, here, type, cosine, said, rank: said + 0.3 * type + 0.5 * cosine };
    });
  chosen.sort((a, b) => b.rank - a.rank);
  const best = chosen[0];
  const here = best?.here ?? words.map(() => 0);
  const covered = told(here);
  const share = (wanted: (word: Asked) => boolean) => shareOf(words, covered, wanted);
  return {
    passage: best?.passage,
    beside: best && besideOf(words, rows, best),
    here,
    near,
    said: best?.said ?? 0,
    told: share(() => true),
    literal: shareOf(
      words,
      here.map((value) => (value === 1 ? 1 : 0)),
    ),
    names: share(({ role }) => role === 'name' || role === 'date'),
    nouns: share(({ role }) => role === 'noun'),
    verbs: share(({ role }) => role === 'verb' || role === 'other'),
    focus: share(({ isFocus, role }) => isFocus && role !== 'scaffold'),
    type: best?.type ?? 0,
    typeNear: Math.max(0, ...chosen.map(({ type }) => type)),
    cosine: best?.cosine ?? 0,
    close: best ? closeness(deps.likeness, question, best.passage) : 0,
  };
}

/** Whether a word says a date, or a part of one, on which a moment lies. */
function isOfDate({ role, text, span }: Asked, iso: string): boolean {
  if (!span) return role === 'date' && isWithin(text, iso);
  const time = Date.parse(iso);
  return time >= span.from && time < span.to;
}

/** As alike as this, a word is said; less than that, it is another one. */
const SAID = 0.8;
const UNSAID = 0.35;
const PRONOUN = /^["“„«(]?(?:he|she|they|it|his|her|their|its|er|sie|es|ihr|seine?|ihre)(?![\p{L}'’])/iu;

interface Row {
  readonly passage: Passage;
  /** How alike its words are to those of the question, concepts aside: a `passport number` is no passport. */
  readonly alike: readonly number[];
}

function besideOf(words: readonly Asked[], rows: readonly Row[], best: Row): Passage | undefined {
  const at = rows.findIndex(({ passage }) => passage === best.passage);
  const adds = (row: Row | undefined, wanted: (word: Asked) => boolean) =>
    words.some((word, of) => wanted(word) && (row?.alike[of] ?? 0) >= SAID && (best.alike[of] ?? 0) < UNSAID);
  const [before, after] = [rows[at - 1], rows[at + 1]];
  const isAskedFor = ({ isFocus, role }: Asked) => isFocus && role !== 'scaffold';
  if (PRONOUN.test(best.passage.text) && adds(before, ({ role }) => role === 'name' || role === 'noun'))
    return before?.passage;
  return [after, before].find((row) => adds(row, isAskedFor))?.passage;
}

function closest(likeness: Likeness, asked: Word, said: readonly Word[]): number {
  let best = 0;
  for (const word of said) {
    best = Math.max(best, likeness(asked, word));
    if (best === 1) break;
  }
  return best;
}

/** The weighted share of some of the question's words that is there; 1 where there are none. Scaffold counts little. */
export function shareOf(
  words: readonly Asked[],
  there: readonly number[],
  wanted: (word: Asked) => boolean = () => true,
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

function typeShare(likeness: Likeness, { expects, text, words }: Question, passage: Passage): number {
  if (expects.length === 0) return 0.5;
  const sure = Math.max(
    0,
    ...expects.map((type, at) => tellsOf(type, passage.text, text) * (at === 0 ? 1 : FURTHER)),
  );
  if (sure === 0) return 0;
  const counted = words.filter(({ isFocus, role }) => isFocus && role === 'noun');
  if (expects[0] !== 'number' || counted.length === 0) return sure;
  const alike = new Set(
    passage.words
      .filter((word) => counted.some((one) => likeness(one, word) >= ALIKE))
      .map((word) => word.text),
  );
  return counts(passage.text, (word) => alike.has(word)) ? sure : OTHER_FIGURE;
}

/** Words between what the answer has to have and a word of the question that halve how close they are. */
const HALF = 4;

function closeness(likeness: Likeness, { expects, text, words }: Question, passage: Passage): number {
  if (expects.length === 0) return 0.5;
  const found = expects.flatMap((type) => instancesOf(type, passage.text, text));
  if (found.length === 0) return 0;
  const asked = words.filter(({ role }) => role !== 'scaffold');
  const matching = new Set(
    passage.words
      .filter((word) => asked.some((one) => likeness(one, word) >= ALIKE))
      .map((word) => word.text),
  );
  const tokens = [...foldText(passage.text).toLowerCase().matchAll(WORD)];
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
