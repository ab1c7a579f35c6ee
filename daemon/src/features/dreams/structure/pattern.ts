import { says } from '../../../language/grammar.ts';
import type { DreamView, Proposal } from '../strategies/strategy.ts';
import { type Note, type NoteSentence, notesOf, proposalOf } from './notes.ts';
import { isGrammar, isoDay, nearBy, plainText, sharedBy, tellsPast, wordNumbers, wordsIn } from './words.ts';

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
export function pattern(view: DreamView): Proposal[] {
  const notes = notesOf(view);
  if (notes.isVault) return [];
  const boilerplate = boilerplateOf(notes.all);
  const numbersOf = wordNumbers();
  const tellings = notes.all.flatMap((note): Telling[] => {
    const { day } = note;
    return day === undefined ? [] : note.sentences.flatMap((one) => tellingOf(one, day, numbersOf) ?? []);
  });
  const found = groupsOf(tellings.filter(({ sentence: { text } }) => !boilerplate.has(plainText(text)))).sort(
    (a, b) => b.length - a.length || (a[0]?.day ?? 0) - (b[0]?.day ?? 0),
  );
  const taken = new Set<Note>();
  const proposals: Proposal[] = [];
  for (const group of found) {
    const free = group.filter(({ sentence }) => !taken.has(sentence.of));
    if (!isHappening(free)) continue;
    for (const { sentence } of free) taken.add(sentence.of);
    proposals.push(proposed(free));
  }
  return proposals.slice(0, MOST);
}

/** The first and last lines that three notes or more have alike. */
function boilerplateOf(all: readonly Note[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { sentences } of all)
    if (sentences.length > 1)
      for (const one of new Set([sentences[0], sentences.at(-1)])) {
        const plain = plainText(one?.text ?? '');
        counts.set(plain, (counts.get(plain) ?? 0) + 1);
      }
  return new Set([...counts].flatMap(([plain, count]) => (count >= LEAST ? [plain] : [])));
}

function tellingOf(
  sentence: NoteSentence,
  day: number,
  numbersOf: ReturnType<typeof wordNumbers>,
): Telling | undefined {
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
  const nearTo = nearBy(
    tellings.map(({ terms }) => terms),
    LOOK,
  );
  return tellings.flatMap((seed) => {
    const perNote = new Map<Note, Telling>();
    for (const place of nearTo(seed.terms)) {
      const other = tellings[place];
      if (other && areAlike(seed, other) && !perNote.has(other.sentence.of))
        perNote.set(other.sentence.of, other);
    }
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
  if (core.length < CORE.words || plain.length < CORE.plain || core.length < CORE.share * shortest)
    return false;
  if (!tellsHappening(group)) return false;
  const figures = group.map(({ sentence }) => sentence.text.match(/\d[\d.,:]*/gu)?.join(' ') ?? '');
  return figures.includes('') || new Set(figures).size < group.length;
}

/** Whether most tell of the past, or one says that it came again: what holds is said in the present, however often. */
function tellsHappening(group: readonly Telling[]): boolean {
  const past = group.filter(({ sentence }) => tellsPast(sentence.text)).length;
  return past * 2 >= group.length || group.some(({ sentence }) => says(sentence.text, 'again'));
}

function proposed(group: readonly Telling[]): Proposal {
  const title = group[0]?.sentence.text ?? '';
  return proposalOf(
    'pattern',
    group.map(({ sentence: { of, text } }) => ({ note: of, text })),
    {
      title,
      body: `Told on ${[...new Set(group.map(({ day }) => isoDay(day)))].join(', ')}.`,
      confidence: 0.9,
      content: `again ${plainText(title)}`,
    },
  );
}
