import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stem } from '../../../language/porter.ts';

/** Kinds of things that happen, and how they are told (data/happenings/README.md). */
const FILE = join(import.meta.dirname, '../../../../data/happenings/happenings.txt');
/** Words between the parts of `disk+full`, at most. */
const WINDOW = 6;

interface Phrase {
  /** Each part a run of words; all of them stand near each other. */
  readonly parts: readonly (readonly string[])[];
  readonly happening: string;
  readonly isWeak: boolean;
}

/** That a kind of thing happened, as a sentence says it. */
export interface Happening {
  /** Stems of the words that say so. */
  readonly words: ReadonlySet<string>;
  /** Whether it only names what such a thing happens to. */
  readonly isWeak: boolean;
}

/** Kinds that are one verb of many things (`crashed`), and those that somebody has (`a headache`); all others are one thing by themselves. */
const MARKS = { '*': 'anything', '@': 'body' } as const;
export type Nature = (typeof MARKS)[keyof typeof MARKS];

const natures = new Map<string, Nature>();
let loaded: ReadonlyMap<string, readonly Phrase[]> | undefined;

/** What kind of kind it is, of a name as `happeningsIn` gives it. */
export function natureOf(happening: string): Nature | undefined {
  phrases();
  return natures.get(happening);
}

/** The phrases by their first word; read the first time, some 10 ms. */
function phrases(): ReadonlyMap<string, readonly Phrase[]> {
  if (loaded) return loaded;
  const byFirst = new Map<string, Phrase[]>();
  for (const line of readFileSync(FILE, 'utf8').split('\n')) {
    const colon = line.indexOf(': ');
    if (colon < 0) continue;
    const [, happening = '', mark] = /^(.*?)([*@]?)$/u.exec(line.slice(0, colon)) ?? [];
    if (mark === '*' || mark === '@') natures.set(happening, MARKS[mark]);
    for (const phrase of line.slice(colon + 2).split('|')) {
      const isWeak = phrase.startsWith('~');
      const parts = phrase
        .slice(isWeak ? 1 : 0)
        .split('+')
        .map(wordsOf);
      const first = parts[0]?.[0] ?? '';
      const others = byFirst.get(first);
      if (others) others.push({ parts, happening, isWeak });
      else byFirst.set(first, [{ parts, happening, isWeak }]);
    }
  }
  return (loaded = byFirst);
}

/** The kinds of things that a sentence tells of as happening. */
export function happeningsIn(text: string): Map<string, Happening> {
  const words = wordsOf(text);
  const byFirst = phrases();
  const found = new Map<string, Happening>();
  for (const [at, word] of words.entries())
    for (const { parts, happening, isWeak } of byFirst.get(word) ?? [])
      if (standsAt(parts, words, at)) {
        const said = parts.flat().filter((one) => one !== 'not');
        const before = found.get(happening);
        found.set(happening, {
          words: new Set([...(before?.words ?? []), ...said]),
          isWeak: isWeak && (before?.isWeak ?? true),
        });
      }
  if (MISREAD.test(text)) found.set('encoding', { words: new Set(['encoding']), isWeak: false });
  return found;
}

/** A letter that another character set made of one: `Stra?e`, `StraÃŸe`; a query of an address is none. */
const MISREAD =
  /(?<![/.&=]\S*)\p{L}[?\uFFFD]\p{Ll}{1,3}(?![^\s?]*=)(?!\S*\/)|Ã[\u0080-\u00bf\u0152-\u0178\u2013-\u2122]/u;

/** Whether the first part stands at a place, undenied (`nothing leaks`), and each other within some words of it. */
function standsAt(parts: Phrase['parts'], words: readonly string[], at: number): boolean {
  if (words[at - 1] === 'not' && !parts.flat().includes('not')) return false;
  if (AGAINST.has(words[at + (parts[0]?.length ?? 1)] ?? '')) return false;
  return parts.every((part, index) => {
    if (index === 0) return isAt(part, words, at);
    for (let near = Math.max(0, at - WINDOW); near <= at + WINDOW; near++)
      if (near !== at && isAt(part, words, near)) return true;
    return false;
  });
}

function isAt(part: readonly string[], words: readonly string[], at: number): boolean {
  return part.every((word, index) => words[at + index] === word);
}

/** A flu jab is no flu, and a crash course no crash. */
const AGAINST = new Set(
  'jab vaccine vaccination shot spray booster insurance policy course test barrier mat detector helmet season risk tablets pills prevention protection'
    .split(' ')
    .map((one) => stem(one)),
);

const DENIES = new Set(
  'not no never nobody nothing none without nicht kein keine keinen nie pas jamais'.split(' '),
);
const stems = new Map<string, string>();

/** Stems, in order; what denies is `not`, and what it is a part of (`wouldn't`) goes before it. */
function wordsOf(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .replaceAll(/\b(can|wo|sha)n't\b|\bcannot\b/gu, (_, base: string | undefined) =>
        base === 'wo' ? 'will not' : base === 'sha' ? 'shall not' : 'can not',
      )
      .replaceAll(/n't\b/gu, ' not')
      .replaceAll(/(?<=\p{L})'s\b/gu, '')
      .match(/[\p{L}\p{N}_]+(?:['-][\p{L}\p{N}_]+)*/gu) ?? [];
  return words.map((word) => (DENIES.has(word) ? 'not' : stemOf(word)));
}

/** The stem of a word in small letters, by which phrases have it: `forgets` and `forgotten` are one. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stemmed = IRREGULAR[word] ?? stem(word);
  if (stems.size < 50_000) stems.set(word, stemmed);
  return stemmed;
}

/** Verbs whose past has another stem, with the words that phrases have them by. */
const IRREGULAR: Readonly<Record<string, string>> = Object.fromEntries(
  `ran run, run run, came come, coming come, went go, gone gone, broke broke, broken broke, breaking broke, breaks broke, forgot forgot, forgotten forgot,
  forgets forgot, forget forgot, lost lost, losing lost, loses lost, fell fell, fallen fell, falls fell, died die, dead dead, froze froze, frozen froze,
  freezes froze, freezing froze, left left, leaving left, leaves left, woke woke, wakes woke, woken woke, kept kept, keeps kept, keeping kept, threw threw,
  throws threw, throwing threw, stole stole, stolen stole, steals stole, ate ate, eats ate, eaten ate, eating ate, bit bit, bitten bit, bites bit, stood
  stood, stands stood, standing stood, sat sat, sits sat, sitting sat, got got, gets got, getting got, took took, takes took, taken took, taking took,
  sent sent, sends sent, sending sent, hung hung, hangs hung, hanging hung, tore tore, torn tore, blew blew, blown blew, swelled swell, swollen swell`
    .split(',')
    .map((pair) => pair.trim().split(/\s+/u) as [string, string]),
);
