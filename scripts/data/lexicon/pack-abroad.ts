/**
 * Makes `daemon/data/lexicon/abroad.bin` of the lists in `abroad/`, so that the daemon needs no stemming when it starts:
 *
 *   node scripts/data/lexicon/pack-abroad.ts
 *
 * `abroad/LANGUAGE.txt` has a line for each concept of `daemon/data/lexicon/concepts.txt`: its words with a bar between them, each with
 * `=` and its English where that is not the concept's name. `everyday`, `order`, `forms` and `small` stand beside it (abroad/README.md).
 *
 * Layout, little endian: "RVA1", u32 entries, u32 numbers in their lists, u32 bytes of English words; then the hashes of the entries in
 * order (int32), the lists (u16), how long each is (u8), and the words, each with a line feed behind it.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DICTIONARY,
  LONGEST_RUN,
  nameOfEntry,
  small,
} from '../../../daemon/src/language/abroad/dictionary.ts';
import { type Abroad, ABROAD, plain, stemAbroad } from '../../../daemon/src/language/abroad/inflection.ts';
import { FUNCTION_WORDS } from '../../../daemon/src/language/abroad/function-words.ts';
import { LEXICON } from '../../../daemon/src/language/words/lexicon.ts';
import { hashOf, WORD } from '../../../daemon/src/language/words/words.ts';

const FOLDER = join(import.meta.dirname, 'abroad');
/** English words that one word has at most. */
const MOST = 4;
/** What stands in the lists of one kind counts for more than what stands in a concept. */
const WEIGHTS = { small: 10_000, order: 1_000, everyday: 3, concept: 1 } as const;
/** A sense that stands behind another in its line counts a little less. */
const BEHIND = 0.01;

/** Words of one language with the weights of their English. */
type Senses = Map<string, Map<string, number>>;

const concepts = readFileSync(join(LEXICON.folder, LEXICON.text), 'utf8')
  .split('\n')
  .map((line) => nameOf(line.split('|')[0] ?? ''));
const entries = new Map<number, { name: string; english: readonly string[] }>();
const vocabulary = new Set<string>();
for (const language of ABROAD) addLanguage(language);
for (const word of vocabulary)
  for (const part of word.match(WORD) ?? []) put(nameOfEntry('en', '=', [plain(part)]), []);
write();

/** The name of a concept as people say it: without what told its list from others. */
function nameOf(name: string): string {
  return name
    .replace(/^(?:verb|phrase|forms of|category|event|abbr|cmd|error|basic)\s+/u, '')
    .replace(/\s+(?:\d+|finer|role|made|\(work\))$/u, '');
}

function linesOf(...path: string[]): string[] {
  const file = join(FOLDER, ...path);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

function addLanguage(language: Abroad): void {
  const senses: Senses = new Map();
  for (const line of linesOf('small', `${language}.txt`)) addEntry(senses, line, { weight: WEIGHTS.small });
  for (const line of linesOf(language, 'order.txt')) addEntry(senses, line, { weight: WEIGHTS.order });
  for (const line of linesOf(language, 'everyday.txt')) addEntry(senses, line, { weight: WEIGHTS.everyday });
  for (const line of linesOf(language, 'concepts.txt')) {
    const [, number = '', words = ''] = /^(\d+)\s+(.+)$/u.exec(line) ?? [];
    if (words.trim() === '-') continue;
    for (const word of words.split('|'))
      addEntry(senses, word, { weight: WEIGHTS.concept, name: concepts[Number(number) - 1] });
  }
  const exact = new Map<string, readonly string[]>();
  /** Words by how they are without accents, then as they are. */
  const accented = new Map<string, Map<string, ReadonlyMap<string, number>>>();
  const stems: Senses = new Map();
  for (const [word, weights] of senses) {
    const run = runOf(word);
    if (run.length === 0 || run.length > LONGEST_RUN) continue;
    const name = run.map(plain).join(' ');
    const spellings = accented.get(name) ?? new Map<string, ReadonlyMap<string, number>>();
    accented.set(name, spellings.set(run.map(small).join(' '), weights));
    const [first = '', ...further] = run.map((one) => stemAbroad(language, one));
    const stemmed = [first, ...further].join(' ');
    if (further.length > 0) put(nameOfEntry(language, '>', [first]), []);
    // What is grammar has no other forms.
    for (const [english, weight] of weights)
      if (weight < WEIGHTS.small) weigh(stems, stemmed, { english, weight });
  }
  for (const [name, spellings] of accented) {
    exact.set(name, best(new Map([...spellings.values()].flatMap((weights) => [...weights]))));
    if (spellings.size > 1 || isSmall(spellings))
      for (const [spelling, weights] of spellings)
        put(nameOfEntry(language, '!', spelling.split(' ')), best(weights));
  }
  // What is grammar and has no English of its own is not looked for among stems and compounds.
  for (const word of FUNCTION_WORDS[language].split(/\s+/u)) if (!exact.has(word)) exact.set(word, []);
  for (const line of linesOf(language, 'forms.txt')) {
    const [base = '', forms = ''] = line.split(':');
    const english = exact.get(plain(base.trim()));
    if (!english) continue;
    for (const form of forms.trim().split(/\s+/u)) {
      const [, ...more] = runOf(form);
      if (more.length === 0 && !exact.has(plain(form))) exact.set(plain(form), english);
    }
  }
  for (const [word, english] of exact) put(nameOfEntry(language, '=', word.split(' ')), english);
  for (const [stem, weights] of stems) put(nameOfEntry(language, '~', stem.split(' ')), best(weights));
}

/** Adds what a word is; `name` is its English where it says none itself. */
function addEntry(
  senses: Senses,
  entry: string,
  { weight, name }: { weight: number; name?: string | undefined },
): void {
  const [word = '', english = name] = entry.split('=').map((part) => part.trim());
  if (word === '' || english === undefined) return;
  for (const [at, one] of english.split(',').entries()) {
    // Only the small words are written with care for capitals: months and weekdays.
    const said = weight >= WEIGHTS.small ? one.trim() : one.trim().toLowerCase();
    if (said !== '') weigh(senses, word.toLowerCase(), { english: said, weight: weight * (1 - BEHIND * at) });
  }
}

function weigh(senses: Senses, word: string, { english, weight }: { english: string; weight: number }): void {
  const known = senses.get(word) ?? new Map<string, number>();
  senses.set(word, known);
  known.set(english, (known.get(english) ?? 0) + weight);
}

/** The words of an entry: what stands in brackets is no part of it. */
function runOf(word: string): string[] {
  return word.replace(/\([^)]*\)/gu, ' ').match(WORD) ?? [];
}

/** Whether one of the spellings is a word of grammar. */
function isSmall(spellings: ReadonlyMap<string, ReadonlyMap<string, number>>): boolean {
  return [...spellings.values()].some((weights) => Math.max(...weights.values()) >= WEIGHTS.small);
}

function best(weights: ReadonlyMap<string, number>): readonly string[] {
  const sorted = [...weights].sort(([, a], [, b]) => b - a);
  // What is grammar is nothing else.
  const isGrammar = (sorted[0]?.[1] ?? 0) >= WEIGHTS.small;
  return sorted
    .filter(([, weight]) => !isGrammar || weight >= WEIGHTS.small)
    .slice(0, MOST)
    .map(([english]) => english);
}

function put(name: string, english: readonly string[]): void {
  const hash = hashOf(name);
  const before = entries.get(hash);
  if (before && before.name !== name && before.english.length > 0) return;
  entries.set(hash, { name, english });
  for (const word of english) vocabulary.add(word);
}

function write(): void {
  const numbers = new Map([...vocabulary].sort().map((word, number) => [word, number]));
  if (numbers.size > 0xffff) throw new Error(`${numbers.size} English words are more than a list can name`);
  const sorted = [...entries].sort(([a], [b]) => a - b);
  const lists = sorted.flatMap(([, { english }]) => english.map((word) => numbers.get(word) ?? 0));
  const words = Buffer.from([...numbers.keys()].map((word) => `${word}\n`).join(''));
  const header = Buffer.alloc(16);
  header.write(DICTIONARY.magic, 'latin1');
  for (const [at, count] of [sorted.length, lists.length, words.length].entries())
    header.writeUInt32LE(count, 4 + 4 * at);
  const bytes = Buffer.concat([
    header,
    Buffer.from(Int32Array.from(sorted, ([hash]) => hash).buffer),
    Buffer.from(Uint16Array.from(lists).buffer),
    Buffer.from(Uint8Array.from(sorted, ([, { english }]) => english.length)),
    words,
  ]);
  writeFileSync(DICTIONARY.file, bytes);
  console.log(
    `${sorted.length} entries, ${numbers.size} English words, ${(bytes.length / 1e6).toFixed(2)} MB`,
  );
}
