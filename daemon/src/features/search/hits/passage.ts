import { LONGEST_PASSAGE, type Passage } from '@reverie/shared/contract/search/passage';
import { isMarkdown, type TextPassage, passagesOf } from '../../../language/passages.ts';
import { passageAt, type TextSpan } from '../../../language/passage-at.ts';
import { quoteOf } from '../../../language/quoting.ts';
import { foldText, hasUnspaced } from '../../../language/words/words.ts';
import { scoreOf } from '../ranking/calibration.ts';
import { type Chunk, chunksOf, searchedText } from '../index/chunks.ts';
import { LARGEST } from '../index/cutting.ts';
import type { Meanings } from '../query/meanings.ts';
import type { Query } from '../query/query.ts';
import { indexedAbroad } from '../../../language/abroad/in-english.ts';
import { readerOf } from '../ranking/reading.ts';
import { indexedText } from '../../../language/indexed-text.ts';
import { stemsOf } from '../query/terms.ts';

/** Chunks of a value that are read; of a longer one those that were found. */
const MOST_READ = 64;
/** Of them, those whose sentences are read one by one. */
const CLOSELY = 2;

/**
 * Chooses what is shown of a value; `found` gives the positions of those of its chunks that the search found. Undefined where the value has
 * nothing but headings and the like.
 */
export type ChoosePassage = (value: string, found: () => readonly number[]) => Passage | undefined;

/** Chooses as `ChoosePassage` does, step by step: others may have their turn between two of them. */
export type PassageSteps = (
  ...choosing: Parameters<ChoosePassage>
) => Generator<undefined, Passage | undefined>;

/** Chooses what is shown of values with a query in mind, at once. */
export function createPassages(query: Query, meanings: Meanings): ChoosePassage {
  const read = createReading(query, meanings);
  return (...choosing) => read(...choosing)?.shown;
}

/** What is shown of values, step by step. */
export function createPassageSteps(query: Query, meanings: Meanings): PassageSteps {
  const begin = createReadingSteps(query, meanings);
  return function* (...choosing) {
    return (yield* begin(...choosing))?.shown;
  };
}

/** What of a value fits a query best. */
export interface ReadValue {
  readonly shown: Passage;
  /** The row, item or sentence that was chosen: a row has its head. Undefined for a short text, which is shown whole. */
  readonly chosen: TextPassage | undefined;
  /** Tells how well it fits by itself, 0..1; takes as long as reading a passage does. */
  fit(): number;
}

/** Reads values with a query in mind, at once. */
export function createReading(
  query: Query,
  meanings: Meanings,
): (...choosing: Parameters<ChoosePassage>) => ReadValue | undefined {
  const begin = createReadingSteps(query, meanings);
  return (...choosing) => {
    const steps = begin(...choosing);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  };
}

/**
 * Reads values with a query in mind, by the model that scores memories (docs/decisions/0028).
 */
function createReadingSteps(
  query: Query,
  meanings: Meanings,
): (...choosing: Parameters<ChoosePassage>) => Generator<undefined, ReadValue | undefined> {
  // A word that may be any of several is marked where one of them stands.
  const sought = query.terms.flatMap((term) => {
    const stems = stemsOf(term);
    // A phrase of grams is marked by its grams.
    if (stems.some(hasUnspaced))
      return stems.flatMap((stem) => (stems.length === 1 || stem.length > 1 ? [[stem]] : []));
    return term.anyOf === true ? stems.map((stem) => [stem]) : [stems];
  });
  // A number, a hash or a beginning is told by what the index has beside the words.
  const isWhole = query.terms.some(({ token, prefix }) => prefix || /(?:^| )number\d/u.test(token));
  const hasVector = query.language.isRead && query.vector.some((x) => x !== 0);

  function fitOf(said: string): number {
    // Without the parts of identifiers and the like, but for scripts that have no words otherwise: making them takes a third of all time.
    const own =
      !isWhole && isAscii(said) ? said : isWhole || hasUnspaced(said) ? indexedText(said) : foldText(said);
    const english = indexedAbroad(said);
    const text = english === '' ? own : `${own}\n${english}`;
    const {
      sentence,
      isTranslated: _,
      ...fit
    } = readerOf(query, meanings)([meanings.words.cut(text)], () => text);
    const rest = { lexical: 1, follows: 0, phrase: false, exact: false, hasVector };
    return scoreOf({ ...fit, ...rest, sentence, cosine: sentence });
  }

  /** What is read sentence by sentence of some chunks: the passages of those that fit best, in their order. */
  function* closest(chunks: readonly Chunk[]): Generator<undefined, TextPassage[]> {
    const best = chunks.length <= CLOSELY ? chunks : yield* byFit(chunks);
    const some = passagesOfChunks(best.slice(0, CLOSELY));
    return some.length > 0 ? some : passagesOfChunks(best.slice(CLOSELY));
  }

  function* byFit(chunks: readonly Chunk[]): Generator<undefined, readonly Chunk[]> {
    const fits: { chunk: Chunk; fit: number }[] = [];
    for (const chunk of chunks) {
      fits.push({ chunk, fit: fitOf(searchedText(chunk)) });
      yield;
    }
    return fits.sort((a, b) => b.fit - a.fit).map(({ chunk }) => chunk);
  }

  function* passagesIn(value: string, found: () => readonly number[]): Generator<undefined, TextPassage[]> {
    if (value.length <= LARGEST) return passagesOf(value);
    const all = chunksOf(value);
    const near = all.length <= MOST_READ ? all : [...new Set([...found(), 0])].flatMap((at) => all[at] ?? []);
    return yield* closest(near);
  }

  return function* (value, found) {
    const short = shortText(value);
    if (short) {
      const shown = passageAt(value, short, sought);
      return { shown, chosen: undefined, fit: () => fitOf(shown.text) };
    }
    const passages = yield* passagesIn(value, found);
    let [best] = passages;
    let most = 0;
    const fitOfPassage = ({ path, lead = '', text }: TextPassage) =>
      fitOf(path.length === 0 && lead === '' ? text : [...path, lead, text].join('\n'));
    for (const passage of passages.length > 1 ? passages : []) {
      const fit = fitOfPassage(passage);
      if (fit > most) [best, most] = [passage, fit];
      yield;
    }
    if (!best) return undefined;
    const chosen = best;
    return {
      shown: passageAt(value, around(value, passages, chosen), sought),
      chosen,
      fit: () => (most > 0 ? most : fitOfPassage(chosen)),
    };
  };
}

const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

/** The whole of a text that is no longer than a passage and no Markdown. */
function shortText(value: string): TextSpan | undefined {
  const text = value.trim();
  if (text === '' || text.length > LONGEST_PASSAGE || isMarkdown(value)) return undefined;
  const start = value.indexOf(text);
  return { start, end: start + text.length };
}

const passagesOfChunks = (chunks: readonly Chunk[]): TextPassage[] =>
  [...chunks].sort((a, b) => a.start - b.start).flatMap(passagesOfChunk);

/** The sentences, items, rows and code of a chunk, below the headings that it stands below, too. */
function passagesOfChunk({ text, start, path, lead }: Chunk): TextPassage[] {
  const found = passagesOf(text);
  return found.map((passage) => ({
    // What leads to a chunk leads to its beginning only.
    ...(lead !== undefined && passage.block === found[0]?.block && { lead }),
    ...passage,
    start: start + passage.start,
    end: start + passage.end,
    block: start + passage.block,
    path: [...new Set([...path, ...passage.path])],
  }));
}

/**
 * A passage with what stands around it and belongs to it, where that is not too long: its paragraph, the line that leads to it, and what
 * it leads to itself.
 */
function around(value: string, passages: readonly TextPassage[], passage: TextPassage): TextSpan {
  const quote = quoteOf(value, passages, { place: passages.indexOf(passage) });
  let { start, end } = fits(quote) ? quote : passage;
  const lead = passages.find((one) => one.start === start)?.lead;
  const leading = passages.findLast((one) => one.end <= start && one.text === lead);
  if (leading && fits({ start: leading.start, end })) ({ start } = leading);
  const last = passages.findIndex((one) => one.end === end);
  const says = passages[last]?.text;
  for (const next of says?.endsWith(':') === true ? passages.slice(last + 1) : []) {
    if (next.lead !== says || !fits({ start, end: next.end })) break;
    ({ end } = next);
  }
  return { start, end };
}

const fits = ({ start, end }: TextSpan): boolean => end - start <= LONGEST_PASSAGE;
