import { isoDay } from '../../../language/notes/noted-day.ts';
import { says } from '../../../language/words/grammar.ts';
import type { Proposal } from '../proposal.ts';
import { type Note, type NoteSentence, type Notes, proposalOf } from './notes.ts';
import {
  isGrammar,
  nearBy,
  type NumbersOf,
  plainText,
  sharedBy,
  tellsPast,
  wordNumbers,
  wordsIn,
} from './words.ts';

const MOST = 20;
/** Words that tell, of a sentence; longer ones are stories. */
const LENGTH = { from: 3, to: 30 } as const;
/** Days on which it happened. */
const LEAST = 3;
/** Of the words that tell: how many, and which share of the shorter and of the longer sentence both have. */
const ALIKE = { words: 3, shorter: 0.75, longer: 0.4 } as const;
/** Sentences that have a word, where one looks for more by it; and words by which one looks. */
const LOOK = { most: 60, by: 5 } as const;

interface Telling {
  readonly sentence: NoteSentence;
  readonly day: number;
  /** The words that tell, by their numbers. */
  readonly terms: readonly number[];
  /** Names among them, and what may be one: two that differ in them are of two things. */
  readonly names: readonly number[];
}

/** Finds what happened three times or more on different days, told in nearly the same words. */
export function pattern({ all, isVault }: Notes): Proposal[] {
  if (isVault) return [];
  const numbersOf = wordNumbers();
  const tellings = all.flatMap(({ day, sentences }): Telling[] =>
    day === undefined ? [] : sentences.flatMap((one) => tellingOf(one, day, numbersOf) ?? []),
  );
  const found = groupsOf(tellings).sort((a, b) => b.length - a.length || (a[0]?.day ?? 0) - (b[0]?.day ?? 0));
  const taken = new Set<Note>();
  return found
    .flatMap((group): Proposal[] => {
      const free = group.filter(({ sentence }) => !taken.has(sentence.of));
      if (!isHappening(free)) return [];
      for (const { sentence } of free) taken.add(sentence.of);
      return [proposed(free)];
    })
    .slice(0, MOST);
}

function tellingOf(sentence: NoteSentence, day: number, numbersOf: NumbersOf): Telling | undefined {
  const { text, task } = sentence;
  if (task !== undefined || /[?:]\s*$|^[^:]{1,40}:\s(?:\S+\s?){1,3}$/u.test(text)) return undefined;
  const telling = wordsIn(text).filter((word) => !isGrammar(word) && !/^[\d.,:%]+$/u.test(word.norm));
  const terms = numbersOf(telling.map(({ norm }) => norm));
  if (terms.length < LENGTH.from || terms.length > LENGTH.to) return undefined;
  const names = numbersOf(
    telling.flatMap(({ norm, text: word }) => (/^\p{Lu}/u.test(word) && !tellsPast(word) ? [norm] : [])),
  );
  return { sentence, day, terms, names };
}

function groupsOf(tellings: readonly Telling[]): Telling[][] {
  const nearTo = nearBy(tellings, ({ terms }) => terms, LOOK);
  return tellings.flatMap((seed) => {
    const perNote = new Map<Note, Telling>();
    for (const other of nearTo(seed))
      if (areAlike(seed, other) && !perNote.has(other.sentence.of)) perNote.set(other.sentence.of, other);
    const group = [...perNote.values()].sort((a, b) => a.day - b.day);
    return isHappening(group) ? [group] : [];
  });
}

function areAlike(a: Telling, b: Telling): boolean {
  const shared = sharedBy(a.terms, b.terms);
  const [less, more] = [Math.min(a.terms.length, b.terms.length), Math.max(a.terms.length, b.terms.length)];
  return (
    shared >= ALIKE.words &&
    shared >= ALIKE.shorter * less &&
    shared >= ALIKE.longer * more &&
    // One child's fever is not the other's.
    (sharedBy(a.names, b.terms) === a.names.length || sharedBy(b.names, a.terms) === b.names.length)
  );
}

/** Words that all tellings have: so many tell what happened, and not to whom. */
const CORE = { words: 3, plain: 2, share: 0.5 } as const;

/** Whether it came on three days: all have the words that tell it, and it is no series of which each has another figure. */
function isHappening(group: readonly Telling[]): boolean {
  const [first] = group;
  if (!first || new Set(group.map(({ day }) => day)).size < LEAST) return false;
  const core = first.terms.filter((term) => group.every(({ terms }) => terms.includes(term)));
  const plain = core.filter((term) => group.every(({ names }) => !names.includes(term)));
  const shortest = Math.min(...group.map(({ terms }) => terms.length));
  const isTold =
    core.length >= CORE.words && plain.length >= CORE.plain && core.length >= CORE.share * shortest;
  if (!isTold || !tellsHappening(group) || isBoilerplate(group)) return false;
  const figures = group.map(({ sentence }) => sentence.text.match(/\d[\d.,:]*/gu)?.join(' ') ?? '');
  return figures.includes('') || new Set(figures).size < group.length;
}

/** The same line in each of three notes, beside what they tell. */
function isBoilerplate(group: readonly Telling[]): boolean {
  const lines = new Set(group.map(({ sentence }) => plainText(sentence.text)));
  return lines.size === 1 && group.every(({ sentence }) => sentence.of.sentences.length > 1);
}

/** Whether most tell of the past, or one says that it came again: what holds is said in the present, however often. */
function tellsHappening(group: readonly Telling[]): boolean {
  const past = group.filter(({ sentence }) => tellsPast(sentence.text)).length;
  return past * 2 >= group.length || group.some(({ sentence }) => says(sentence.text, 'again'));
}

function proposed(group: readonly Telling[]): Proposal {
  const quotes = group.map(({ sentence: { of, text } }) => ({ note: of, text }));
  const title = quotes[0]?.text ?? '';
  const body = `Told on ${[...new Set(group.map(({ day }) => isoDay(day)))].join(', ')}.`;
  return proposalOf('pattern', quotes, {
    title,
    body,
    confidence: 0.9,
    content: `again ${plainText(title)}`,
  });
}
