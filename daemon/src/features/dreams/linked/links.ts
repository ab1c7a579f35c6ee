import { STOP_WORDS } from '../../../language/words.ts';
import { comparedWordsOf } from '../notes/compared-words.ts';
import type { ReadNamespace, ReadMemory } from '../notes/reading.ts';
import { knownNames } from '../notes/known-names.ts';
import { isSameBearer, type Mention } from './mentions.ts';
import { type MentionedThing, mentionedThings, type ReadingWatch } from './mentioned-things.ts';
import { anyOf } from '../../../language/word-lists.ts';

/** Who says so himself knows that two things only have a name in common. */
const DIFFERENT =
  /nothing to do with|different (?:thing )?from|not to be confused|another one|not the same|namesake|no relation|unrelated/iu;
/** A folder with more than this share of all notes is a drawer. */
const DRAWER = 0.15;
/** What more notes name is no first name of something rare. */
const MOST_FIRST = 4;
/** So many things in common are one affair: whoever wrote of them knows. */
const MOST_SHARED = 4;
/** Sentences that have this share of the shorter one's words in common say much the same. */
const ALIKE = 0.5;
/** After these a name says where, whose or with whom, and the sentence is about something else. */
const IN_PASSING = new RegExp(
  String.raw`(?:^|[^\p{L}])${anyOf('dreams/before-names')}(?: (?:an?|her|his|my|new|old|one|our|the|dr|mrs?|ms)\.?)*\s["“]?$`,
  'iu',
);
/** Where a sentence speaks of what is named: at its beginning, and after `is called`. */
const FIRST = /^\W*(?:the |an? )?$|(?:is|was|called|named|:)\s(?:the |an? )?$/iu;
const TITLED = /(?:^|[^\p{L}])(?:(mr|herr|monsieur)|(mrs|ms|miss|frau|madame|mme))\.? (?:\p{Lu}\S* )?$/iu;

/** One thing as each of two memories mentions it. */
export type Shared = readonly [Mention, Mention];

/** Two memories that mention something that no third one does. */
export interface MentionLink {
  readonly a: ReadMemory;
  readonly b: ReadMemory;
  /** What tells most first. */
  readonly shared: readonly Shared[];
  /** Whether it is proposed without a model's word. */
  readonly isSure: boolean;
}

/** The links of a namespace, those first that are sure; when they were stored does not count. */
export function linksOf(reading: ReadNamespace, watch: ReadingWatch): MentionLink[] {
  const pairs = new Map<string, { a: ReadMemory; b: ReadMemory; shared: Shared[] }>();
  const things = mentionedThings(reading, watch);
  for (const { mentions, memories } of things.values()) {
    const [one, other] = mentions;
    if (!one || !other || memories > 2 || isOfMany(one, things) || !areOne([one, other])) continue;
    const [a, b] = [one.sentence.of, other.sentence.of];
    if (isOneConversation(a, b)) continue;
    const id = `${a.memory.id} ${b.memory.id}`;
    const pair = pairs.get(id) ?? { a, b, shared: [] };
    pair.shared.push([one, other]);
    pairs.set(id, pair);
  }
  if (watch.isStopped()) return [];
  const isFiled = filingOf(reading);
  return [...pairs.values()]
    .filter(({ a, b }) => !DIFFERENT.test(`${a.memory.value}\n${b.memory.value}`))
    .map(({ a, b, shared }): MentionLink => {
      const sorted = shared.toSorted((x, y) => worthOf(y, things) - worthOf(x, things));
      return { a, b, shared: sorted, isSure: isSure(sorted, things) && !isFiled(a, b) };
    })
    .filter(({ shared: [best] }) => best && worthOf(best, things) > 0)
    .sort((x, y) => Number(y.isSure) - Number(x.isSure) || (nameOf(x) < nameOf(y) ? -1 : 1));
}

/** Whether two keys lie in one folder that holds few others: who put them there knows. In a folder with everything a key tells nothing. */
function filingOf({ memories }: ReadNamespace): (a: ReadMemory, b: ReadMemory) => boolean {
  const folderOf = ({ memory: { key } }: ReadMemory): string =>
    key.slice(0, Math.max(0, key.lastIndexOf('/')));
  const sizes = new Map<string, number>();
  for (const one of memories) sizes.set(folderOf(one), (sizes.get(folderOf(one)) ?? 0) + 1);
  return (a, b) => {
    const folder = folderOf(a);
    return folder !== '' && folder === folderOf(b) && (sizes.get(folder) ?? 0) <= DRAWER * memories.length;
  };
}

const nameOf = ({ a, b }: MentionLink): string => [a.memory.key, b.memory.key].sort().join('\n');

/** Whether two notes are from one conversation: whoever wrote them knows both. */
export function isOneConversation({ memory: a }: ReadMemory, { memory: b }: ReadMemory): boolean {
  return a.session !== null && a.session === b.session;
}

/** Whether a title has the name of something that more memories speak of: `Museum Quintyn`, where Quintyn has a dozen notes. */
function isOfMany({ kind, id }: Mention, things: ReadonlyMap<string, MentionedThing>): boolean {
  if (kind !== 'title') return false;
  const { idOf } = knownNames();
  return id.split(' ').some((word) => {
    const thing = things.get(idOf(word));
    return thing !== undefined && thing.memories > 2 && thing.mentions.some((one) => one.kind === 'name');
  });
}

/** Two first names, or Mr and Mrs, are two people. */
function areOne([one, other]: Shared): boolean {
  const [a, b] = [one, other].map((mention) => TITLED.exec(beforeOf(mention)));
  return isSameBearer(one, other) && !(a && b && (a[1] === undefined) !== (b[1] === undefined));
}

function beforeOf({ sentence, text }: Mention): string {
  return sentence.text.slice(0, Math.max(0, sentence.text.indexOf(text)));
}

/** How much a name in common tells, by its kind; nothing where many have heard it. */
function worthOf([one, other]: Shared, things: ReadonlyMap<string, MentionedThing>): number {
  const kinds = [one.kind, other.kind];
  if (kinds.includes('known') || (one.isUnsure && other.isUnsure)) return 0;
  if (kinds.includes('code')) return 5;
  if (kinds.every((kind) => kind === 'term')) return 4;
  if (kinds.includes('symbol')) return 3;
  return isInFull([one, other], things) ? 2 : 1;
}

/** Whether one of the notes gives the name in full, or both say what it is the name of: `Ansgar Tholen`, `the Molnar printer`. */
function isInFull([one, other]: Shared, things: ReadonlyMap<string, MentionedThing>): boolean {
  if (one.kind === 'title') return false;
  const [a, b] = [kindNamedBy(one), kindNamedBy(other)];
  const { idOf } = knownNames();
  // `the Wierdum organ` is no organ of that name where a dozen notes speak of Wierdum.
  const isWhole = ({ isMarked, beside }: Mention): boolean =>
    isMarked &&
    (beside.length === 0 || beside.some((word) => (things.get(idOf(word))?.memories ?? 0) <= MOST_FIRST));
  return isWhole(one) || isWhole(other) || (a !== undefined && a === b);
}

/** The word after a name, in small letters. */
function kindNamedBy({ sentence: { text }, text: name }: Mention): string | undefined {
  const next = /^ (\p{Ll}{3,})/u.exec(text.slice(text.indexOf(name) + name.length))?.[1];
  return next === undefined || STOP_WORDS.has(next) ? undefined : next;
}

/**
 * Whether nobody has to be asked: both name a code or a module, or a name that one gives in full and not both in passing, or a bare name that both
 * sentences are about; and what they say of it differs.
 */
function isSure(shared: readonly Shared[], things: ReadonlyMap<string, MentionedThing>): boolean {
  const [best] = shared;
  if (!best || shared.length >= MOST_SHARED || best.some(isSetting) || areAlike(best)) return false;
  const worth = worthOf(best, things);
  if (worth > 2) return true;
  const passing = best.filter((one) => IN_PASSING.test(beforeOf(one))).length;
  if (worth === 2) return passing < 2;
  return (
    passing === 0 &&
    best.every(({ kind }) => kind === 'name') &&
    best.some((one) => FIRST.test(beforeOf(one)))
  );
}

/** Whether the sentences say much the same: twice, otherwise, or of two things of a series. */
function areAlike([one, other]: Shared): boolean {
  const [a, b] = [one, other].map(
    ({ sentence, text }) =>
      new Set(
        comparedWordsOf(sentence).flatMap(({ norm, token }) => (text.includes(token.text) ? [] : [norm])),
      ),
  );
  return !a || !b || a.intersection(b).size >= ALIKE * Math.min(a.size, b.size);
}

/** `log_level = info`: another value of it, in another place, is no news. */
function isSetting({ sentence: { text }, text: name }: Mention): boolean {
  return /^\s*[=:]\s*\S/u.test(text.slice(text.indexOf(name) + name.length)) && /^\p{Ll}/u.test(name);
}
