import { MONTHS, WEEKDAYS } from '../../../language/date-names.ts';
import { denies, says, tellsPast } from '../../../language/grammar.ts';
import type { ReadNamespace, ReadMemory, ReadSentence } from '../notes/reading.ts';
import { type Due, isDone } from './dues.ts';

/** How much of what something due is about another sentence has to speak of, by how rare its words are. */
const ABOUT = 0.5;
/** So many words of it are enough, whatever else it names. */
const TOGETHER = 2;
/** Words that more memories have say nothing of what is due. */
const COMMON = { least: 12, share: 0.05 } as const;

/** Sentences of a note that speaks of one thing. */
const SHORT = 5;

/** What something due is about: its words and how rare each is, without the date and what makes it due. */
type Subject = ReadonlyMap<string, number>;

/** The dues of which no other note, as late or later, says that they are done, called off or moved to another day. */
export function openDues(dues: readonly Due[], reading: ReadNamespace): Due[] {
  const having = sentencesBy(dues, reading);
  return dues.filter((due) => {
    if (due.kind === 'yearly') return true;
    const subject = subjectOf(due, reading);
    const others = new Set([...subject.keys()].flatMap((term) => having.get(term) ?? []));
    return ![...others].some((said) => isLater(said, due) && isAbout(said, subject) && settles(said, due));
  });
}

/** Sentences that may settle something, by the words that something due has. */
function sentencesBy(dues: readonly Due[], reading: ReadNamespace): Map<string, ReadSentence[]> {
  const wanted = new Set(dues.flatMap((due) => [...subjectOf(due, reading).keys()]));
  const having = new Map<string, ReadSentence[]>();
  for (const memory of reading.memories) {
    const terms = [...memory.terms].filter((term) => wanted.has(term));
    if (terms.length === 0) continue;
    for (const sentence of memory.sentences) {
      if (!isOver(sentence.text) && !says(sentence.text, 'moved')) continue;
      for (const term of terms) {
        const list = having.get(term);
        if (list) list.push(sentence);
        else having.set(term, [sentence]);
      }
    }
  }
  return having;
}

function isLater({ of }: ReadSentence, { sentence }: Due): boolean {
  return of !== sentence.of && of.memory.time >= sentence.of.memory.time && !isOfAnother(sentence.of, of);
}

/** `Rent for October paid` leaves that of December open. */
const FOR_MONTH = new RegExp(
  `(?<!\\p{L})(?:for|für|pour)\\s(${Object.keys(MONTHS).join('|')})(?!\\p{L})`,
  'iu',
);

/** Whether a text says that something is done, off, or has just been. */
function isOver(text: string): boolean {
  if (isDone(text) || says(text, 'called-off')) return true;
  return tellsPast(text) && says(text, 'just-now') && !says(text, 'talked') && !denies(text);
}

/** What is over ends it, and so does another day; what was moved itself only once more. */
function settles({ text, of }: ReadSentence, due: Due): boolean {
  const years = text.match(/(?<!\d)20\d\d(?!\d)/gu) ?? [];
  const year = new Date(due.on).getUTCFullYear();
  if (years.length > 0 && years.every((one) => Number(one) < year - 1)) return false;
  const [, month] = FOR_MONTH.exec(text) ?? [];
  if (month !== undefined && MONTHS[month.toLowerCase()] !== new Date(due.on).getUTCMonth()) return false;
  if (isOver(text)) return true;
  const day = due.sentence.text.slice(due.said.start, due.said.end).replace(/[.,]+$/u, '');
  if (text.includes(day)) return false;
  return !says(due.sentence.text, 'moved') || of.memory.time > due.sentence.of.memory.time;
}

function subjectOf({ sentence, said }: Due, reading: ReadNamespace): Subject {
  const most = Math.max(COMMON.least, reading.memories.length * COMMON.share);
  const terms = sentence.tokens.flatMap(({ says: tells, shape, term, text, start, end }) =>
    tells && shape !== 'number' && !(start < said.end && said.start < end) && !isOfDue(text) ? [term] : [],
  );
  const key = sentence.of.keyTerms.filter((term) => !/\d/u.test(term));
  return new Map(
    [...new Set(terms.length > 0 ? terms : key)].flatMap((term) =>
      reading.frequency(term) <= most ? [[term, reading.weight(term)] as const] : [],
    ),
  );
}

/** What makes it due is not what it is about. */
function isOfDue(word: string): boolean {
  return says(word, 'limits') || says(word, 'to-come');
}

function isAbout({ tokens, of }: ReadSentence, subject: Subject): boolean {
  const there = of.sentences.length <= SHORT ? of.terms : new Set(tokens.map(({ term }) => term));
  const sum = (terms: Iterable<readonly [string, number]>) =>
    [...terms].reduce((all, [, weight]) => all + weight, 0);
  const all = sum(subject);
  const shared = [...subject].filter(([term]) => there.has(term));
  return all > 0 && (shared.length >= TOGETHER || sum(shared) >= ABOUT * all);
}

/** Whether each of two names somebody whom the other does not: one child's passport is not the other's. */
function isOfAnother(a: ReadMemory, b: ReadMemory): boolean {
  const names = (one: ReadMemory, other: ReadMemory) =>
    one.sentences.some(({ tokens }) =>
      tokens.some(
        ({ shape, says: tells, term, text }) =>
          shape === 'name' && tells && !other.terms.has(term) && !isOfCalendar(text.toLowerCase()),
      ),
    );
  return names(a, b) && names(b, a);
}

function isOfCalendar(word: string): boolean {
  return Object.hasOwn(MONTHS, word) || Object.hasOwn(WEEKDAYS, word);
}
