import { denies } from '../../../language/words/grammar.ts';
import type { Proposal } from '../proposal.ts';
import { byAge, firstSentence, type Note, type Notes, proposalOf } from './notes.ts';
import { nearBy, plainText, sharedBy, tellsPast, wordNumbers, wordsIn } from './words.ts';

const MOST = 60;
/** Words without which a text says too little to be said twice. */
const LEAST = { words: 4, inVault: 8 } as const;
/** What stands in more notes is what a program writes. */
const MOST_TWINS = 8;
/** Texts of so many words are not written twice by chance, whatever they tell. */
const LONG = 25;
/** Share of the longer one's words that the shorter one has. */
const ALIKE = 0.9;
/** Notes that have a word, where one looks for a twin by it; and words by which one looks. */
const LOOK = { most: 40, by: 4 } as const;
/** Characters of a text that is compared word by word. */
const LONGEST = 2_000;
/** Words that may be there or not. */
const EMPTY = new Set(
  (
    'a an the is are was be been get got have has and also of to that so please ' +
    'der die das den dem ein eine ist sind wird werden und auch ' +
    'le la les un une des est sont et el los las una es son y il lo gli i uno e sono het een de en zijn o os as um uma'
  ).split(' '),
);

interface Read {
  readonly note: Note;
  /** What it says, as compared, without empty words. */
  readonly set: readonly number[];
}

/** Merges what is told twice: in the same words but for case, marks and white space, one within the other, or but for a word that says nothing. */
export function refine(notes: Notes): Proposal[] {
  const twins = twinsIn(notes);
  const taken = new Set(twins.flat());
  const near = notes.isVault ? [] : nearIn(notes.all.filter((note) => !taken.has(note)));
  return [
    ...twins.map((group) => mergeOf(group, 'same')),
    ...near.map((pair) => mergeOf(pair, 'near duplicate')),
  ].slice(0, MOST);
}

/** Groups of notes with the same text, each with the newest last. */
function twinsIn({ all, isVault }: Notes): Note[][] {
  const isWorth = ({ memory: { value }, sentences }: Note) =>
    sentences.length > 0 &&
    (value.match(/[\p{L}\p{N}]+/gu)?.length ?? 0) >= (isVault ? LEAST.inVault : LEAST.words);
  const textOf = ({ memory: { digest, isCut, value } }: Note) =>
    isVault || isCut ? digest : plainText(value);
  return [...Map.groupBy(all, textOf).values()]
    .filter((group) => group.length > 1 && group.length <= MOST_TWINS && group[0] && isWorth(group[0]))
    .filter((group) => isVault || !areHappenings(group))
    .map((group) => group.toSorted(byAge));
}

/** Short tellings of what happened: it may have happened twice. */
function areHappenings(group: readonly Note[]): boolean {
  const days = new Set(group.map(({ day }) => day));
  const areApart = days.size > 1 || days.has(undefined);
  const words = group.map(({ memory }) => memory.value.split(/\s+/u));
  return areApart && words.every((all) => all.length < LONG && tellsPast(all.slice(0, 7).join(' ')));
}

/** Pairs of which one says all that the other says, or of which only empty words differ; figures, names and no are the same. */
function nearIn(all: readonly Note[]): Note[][] {
  const numbersOf = wordNumbers();
  const reads = all.flatMap((note): Read[] => {
    const { value, isCut } = note.memory;
    const prose = note.sentences.reduce((sum, { text }) => sum + text.length, 0);
    // A table, or code, may say something else.
    if (isCut || value.length > LONGEST || prose < 0.9 * value.trim().length) return [];
    const set = numbersOf(
      wordsIn(value).flatMap(({ norm, text }) => (EMPTY.has(text.toLowerCase()) ? [] : [norm])),
    );
    return set.length < LEAST.words ? [] : [{ note, set }];
  });
  const nearTo = nearBy(reads, ({ set }) => set, LOOK);
  const taken = new Set<Note>();
  const pairs: Note[][] = [];
  for (const one of reads) {
    if (taken.has(one.note)) continue;
    const other = [...nearTo(one)].find((two) => two !== one && !taken.has(two.note) && areSame(one, two));
    if (!other || areHappenings([one.note, other.note])) continue;
    taken.add(one.note).add(other.note);
    pairs.push([one.note, other.note].sort(byAge));
  }
  return pairs;
}

function areSame(a: Read, b: Read): boolean {
  const [less, more] = a.set.length <= b.set.length ? [a, b] : [b, a];
  if (sharedBy(less.set, more.set) < less.set.length) return false;
  const [one, other] = [a.note.memory.value, b.note.memory.value];
  // What is the same is no near twin: where it was not merged, it is what a program writes, or happened twice.
  if (plainText(one) === plainText(other)) return false;
  if (isWithin(less, more)) return true;
  if (less.set.length < ALIKE * more.set.length) return false;
  // Figures, identifiers, days and names, in their order.
  const named = [one, other].map((text) =>
    wordsIn(text)
      .flatMap(({ kind, norm }) => (kind === 'word' ? [] : [norm]))
      .join(' '),
  );
  return named[0] === named[1] && denies(one) === denies(other);
}

/** Whether all sentences of one stand in the other, spelled alike. */
function isWithin({ note: less }: Read, { note: more }: Read): boolean {
  const count = less.sentences.reduce((sum, { text }) => sum + text.split(/\s+/u).length, 0);
  if (count < 6) return false;
  const there = new Set(more.sentences.map(({ text }) => plainText(text)));
  return less.sentences.every(({ text }) => there.has(plainText(text)));
}

/** Keeps the fuller, else the newer one. */
function mergeOf(group: readonly Note[], content: string): Proposal {
  const sizeOf = ({ memory }: Note) => plainText(memory.value).split(' ').length;
  const [keep, ...hide] = group.toSorted((a, b) => sizeOf(b) - sizeOf(a) || byAge(b, a));
  if (!keep) throw new RangeError('a group of notes that say the same has members');
  const quotes = group.map((note) => ({ note, text: firstSentence(note) }));
  const hidden = hide.map(({ memory }) => memory.key);
  return proposalOf('refine', quotes, {
    title: firstSentence(keep),
    confidence: 0.95,
    change: { kind: 'merge', keep: keep.memory.key, hide: hidden },
    content,
  });
}
