import type { AccountId, Readable } from '@reverie/shared/accounts/caller';
import { LRUCache } from 'lru-cache';
import type { ReadDb, Store } from '../../../db/open-store.ts';
import { stem } from '../../../language/words/porter.ts';
import { hasUnspaced, WORD } from '../../../language/words/words.ts';
import { createYielding } from '../../../platform/yielding.ts';
import { rangeOf } from '../ranking/candidates.store.ts';
import { searchedIn } from '../everywhere/searched.ts';
import { nextChunks } from '../index/index.store.ts';
import { isWordAbroad } from '../../../language/abroad/in-english.ts';
import { languageOf } from '../query/query-language.ts';
import { stemsOfText } from '../query/terms.ts';
import { editDistance } from './edit-distance.ts';
import { type Correction, correctableWords } from './respelling.ts';
import { bodiesBetween, bodiesWith, stemsAfter } from './spelling.store.ts';
import { createWordList, type WordList } from './word-list.ts';

type ReadableStore = Pick<Store, 'read'>;

/** Where words of a query are looked for: in a namespace, or with `*` in every one that may be read. */
interface Place {
  account: AccountId;
  namespace: string;
  readable?: Readable | undefined;
}

/** Corrects words of a query that no memory has to words of memories that are spelt alike (docs/decisions/0031). */
export interface Spelling {
  /** The words of a query that are corrected; each is read as at most three others. */
  correct(store: ReadableStore, query: string, place: Place): Promise<readonly Correction[]>;
  /** Lets go of an account's words: called after each commit that took some out of its index. */
  forget(account: AccountId): void;
}

/** Letters that may be wrong in a word of memories that has so many letters, or more. */
const MOST_WRONG = 2;
const LONG = 9;
/** Words of a query that are looked up, its first, and that are corrected: a pasted page has more. */
const MOST_DOUBTFUL = 16;
const MOST_CORRECTED = 4;
/** Words that one is read as. */
const MOST_READINGS = 3;
/** Stems that are looked at closely for a word: of those that are near, and of those that it begins with. */
const MOST_NEAR = 24;
const MOST_BEGUN = 8;
/** Chunks of each that are read for how it is spelt. */
const CHUNKS = 30;
/** Letters of an ending, which a word has and its stem does not (`-ization`). */
const LONGEST_ENDING = 7;
/** Stems that are held in memory, some 80 bytes each, of all accounts, and of one: what it has more is not offered. */
const MOST_WORDS = 400_000;
const MOST_WORDS_OF_ONE = 250_000;
/** Stems, and chunks, that are read before others have their turn: some milliseconds. */
const STEMS_AT_ONCE = 1_000;
const CHUNKS_AT_ONCE = 200;
/** Chunks that are read behind a list before it is made anew. */
const MOST_BEHIND = 5_000;

/** The stems of an account's text index, and how far each namespace is in it. */
interface Known {
  readonly stems: WordList;
  /** By namespace the number of its first chunk that is not. */
  readonly next: Map<number, number>;
}

/**
 * Words that `isWord` knows are spelt right and never corrected, even if no memory has them: what they mean is looked for by other ways.
 */
export function createSpelling(isWord: (word: string) => boolean): Spelling {
  const known = new LRUCache<AccountId, Known>({
    maxSize: MOST_WORDS,
    sizeCalculation: ({ stems }) => stems.size + 1,
  });
  /** Lists that are being read; one that is no more in here when it is done has words that were deleted meanwhile. */
  const loading = new Map<AccountId, Promise<Known>>();

  function load(store: ReadableStore, account: AccountId): Promise<Known> {
    const before = loading.get(account);
    if (before) return before;
    const made = readStems(store, account)
      .then((done) => {
        if (loading.get(account) === made) known.set(account, done);
        return done;
      })
      .finally(() => {
        if (loading.get(account) === made) loading.delete(account);
      });
    loading.set(account, made);
    return made;
  }

  /** The stems of an account, those of what is looked at up to the last chunk. */
  async function stemsOf(store: ReadableStore, place: Place): Promise<WordList> {
    const { account } = place;
    const before = known.get(account);
    const has = before ?? (await load(store, account));
    const isCurrent = await catchUp(store, has, place);
    return isCurrent ? has.stems : (await load(store, account)).stems;
  }

  return {
    async correct(store, query, place) {
      const { stopWords, told } = languageOf(query);
      const isKnown = (word: string) => isWord(word) || (told !== 'other' && isWordAbroad(word, told));
      const unknown = correctableWords(query).filter((word) => !isKnown(word));
      if (unknown.length === 0) return [];
      const doubtful = unknown.filter((word) => !stopWords.has(word)).slice(0, MOST_DOUBTFUL);
      const missing = store.read((db) => withoutMemory(db, doubtful, place)).slice(0, MOST_CORRECTED);
      if (missing.length === 0) return [];
      const stems = await stemsOf(store, place);
      const yieldToOthers = createYielding();
      const corrections: Correction[] = [];
      for (const word of missing) {
        const readings = store.read((db) => readingsOf(db, { word, stems, place }));
        const isCapital = readings.some((reading) => reading.isCapital);
        const readAs = readings.map(({ spelt }) => spelt);
        if (readAs.length > 0) corrections.push({ word, read_as: readAs, isCapital });
        await yieldToOthers();
      }
      return corrections;
    },
    forget(account) {
      known.delete(account);
      loading.delete(account);
    },
  };
}

/** Those of some words that no memory there says, in no form; none where there is no such namespace. */
function withoutMemory(db: ReadDb, words: readonly string[], place: Place): string[] {
  const searched = searchedIn(db, place);
  if (!searched || searched.chunks === 0) return [];
  const at = rangeOf(searched.namespaces);
  return words.filter((word) => bodiesWith(db, place.account, { ...at, word, limit: 1 }).length === 0);
}

/** Only what may be a misspelt word's right form; numbers, parts of codes and grams are not. */
function isListed(word: string): boolean {
  return word.length >= 3 && word.length <= 40 && /^\p{L}+$/u.test(word) && !hasUnspaced(word);
}

async function readStems(store: ReadableStore, account: AccountId): Promise<Known> {
  const yieldToOthers = createYielding();
  const stems = createWordList();
  // Before the first look: a chunk that is written meanwhile is read again.
  const next = store.read((db) => nextChunks(db, account));
  for (let after = ''; stems.size < MOST_WORDS_OF_ONE;) {
    const some = store.read((db) =>
      // The account may have been deleted meanwhile, and its index with it.
      nextChunks(db, account).size === 0 ? [] : stemsAfter(db, account, { after, limit: STEMS_AT_ONCE }),
    );
    for (const word of some) if (isListed(word)) stems.add(word);
    const last = some.at(-1);
    if (last === undefined) break;
    after = last;
    await yieldToOthers();
  }
  return { stems, next };
}

/** Adds what was written since a list was read; false where that is too much, and the list is to be made anew. */
async function catchUp(store: ReadableStore, { stems, next }: Known, place: Place): Promise<boolean> {
  const { account } = place;
  const yieldToOthers = createYielding();
  for (;;) {
    const behind = store.read((db) => {
      const untilOf = nextChunks(db, account);
      const pieces = (searchedIn(db, place)?.namespaces ?? []).map((namespaceId) => {
        const until = untilOf.get(namespaceId) ?? 0;
        return { namespaceId, from: next.get(namespaceId) ?? 0, until };
      });
      const left = pieces.reduce((sum, { from, until }) => sum + Math.max(0, until - from), 0);
      let room = left > MOST_BEHIND ? 0 : CHUNKS_AT_ONCE;
      const bodies = pieces.flatMap(({ namespaceId, from, until }) => {
        const to = Math.min(until, from + room);
        if (from >= to) return [];
        room -= to - from;
        next.set(namespaceId, to);
        return bodiesBetween(db, account, { namespaceId, from, to });
      });
      return { left, bodies };
    });
    if (behind.left === 0) return true;
    if (behind.left > MOST_BEHIND) return false;
    for (const body of behind.bodies)
      for (const word of stemsOfText(body))
        if (isListed(word) && stems.size < MOST_WORDS_OF_ONE) stems.add(word);
    await yieldToOthers();
  }
}

/** The words of what is looked at that one may be, the likeliest first; with two letters wrong only where none has one. */
function readingsOf(
  db: ReadDb,
  { word, stems, place }: { word: string; stems: WordList; place: Place },
): Form[] {
  const searched = searchedIn(db, place);
  if (!searched) return [];
  const at = rangeOf(searched.namespaces);
  for (const { candidates, wrong } of candidatesFor(word, stems)) {
    const readings = candidates.flatMap((candidate) => {
      const form = formOf(candidate);
      if (form === undefined) return [];
      const bodies = bodiesWith(db, place.account, { ...at, word: form, limit: CHUNKS });
      const spelt = nearestForm(bodies, { word, stem: candidate, wrong });
      return spelt ? [{ ...spelt, chunks: bodies.length }] : [];
    });
    if (readings.length === 0) continue;
    readings.sort((a, b) => b.chunks - a.chunks || (a.spelt < b.spelt ? -1 : 1));
    return readings.slice(0, MOST_READINGS);
  }
  return [];
}

/**
 * Stems that a misspelt word may be of, the likeliest first: it, or its own stem, is nearly one; or it nearly begins with one, for of a
 * misspelt ending (`managemnt`) nothing is taken off.
 */
function* candidatesFor(
  word: string,
  stems: WordList,
): Generator<{ candidates: readonly string[]; wrong: number }> {
  const own = stem(word);
  const begun = stems.begun(word).filter((begin) => word.length - begin.length <= LONGEST_ENDING);
  for (const wrong of [1, MOST_WRONG]) {
    if (wrong > 1 && word.length + wrong < LONG) return;
    const near = [...stems.near(own, wrong), ...(own === word ? [] : stems.near(word, wrong))];
    const nearest = new Set(near.sort((a, b) => a.distance - b.distance).map((one) => one.word));
    yield { candidates: [...nearest].slice(0, MOST_NEAR), wrong };
    yield { candidates: begun.slice(0, MOST_BEGUN), wrong };
  }
}

/** A word of a stem, for the text index is asked by words. */
function formOf(wanted: string): string | undefined {
  const forms = ['', 'e', 's', 'ing', 'ed', 'ly'].map((ending) => wanted + ending);
  return [...forms, wanted.replace(/i$/u, 'y')].find((form) => stem(form) === wanted);
}

/** A word as some texts have it. */
interface Form {
  readonly spelt: string;
  /** In no sentence without a capital. */
  readonly isCapital: boolean;
}

/** The most frequent word of a stem in some texts in which so many letters are other than in another word. */
function nearestForm(
  bodies: readonly string[],
  { word, stem: wanted, wrong }: { word: string; stem: string; wrong: number },
): Form | undefined {
  const counts = new Map<string, { all: number; small: number }>();
  for (const line of bodies.flatMap((body) => body.split('\n')))
    for (const [found] of line.matchAll(WORD)) {
      if (Math.abs(found.length - word.length) > wrong || (wrong > 1 && found.length < LONG)) continue;
      const form = found.toLowerCase();
      const { all, small } = counts.get(form) ?? { all: 0, small: 0 };
      // Keys and tags have names in small letters.
      const isSmall = form === found && /\s/u.test(line);
      counts.set(form, { all: all + 1, small: small + (isSmall ? 1 : 0) });
    }
  const [best] = [...counts]
    .filter(([spelt]) => editDistance(word, spelt, wrong) <= wrong && stem(spelt) === wanted)
    .sort(([, a], [, b]) => b.all - a.all);
  return best && { spelt: best[0], isCapital: best[1].small === 0 };
}
