import type { Due } from './due.ts';
import { isOfCalendar } from './happened.ts';
import type { Reading, ReadMemory } from './reading.ts';

const DONE =
  /(?<!\p{L})(?:done|paid|sent|submitted|handed in|handed over|renewed|cancel(?:l)?ed|returned|filed|signed|settled|sorted|finished|extended|collected|picked up|delivered|posted|registered|applied|confirmed|completed|passed|arrived|is here|got the new|no longer needed|took place|went well|went fine|is over|behind us|ticked off|brought back|gave back|took back|(?:took|brought|gave|sent|handed) (?:\p{L}+ ){1,4}back|dropped off|has moved|migrated|bezahlt|überwiesen|erledigt|abgegeben|abgeholt|verschickt|gekündigt|verlängert|payée?|envoyée?s?|rendue?s?|renouvelée?|réglée?|called off|fell through|postponed|moved|rescheduled|brought forward|pushed (?:back|to)|put off|verschoben|reportée?|new date)(?!\p{L})/iu;
const CONDITION = /^[^.;]{0,30}(?<!\p{L})(?:if|unless|until)(?!\p{L})/iu;
const NOT_YET =
  /(?<!\p{L})(?:to be|must be|has to be|have to be|not|yet|will be|should be|isn[’']t|hasn[’']t|haven[’']t|nobody|if|unless|until|nicht|noch|doit|doivent|muss)(?!\p{L})/iu;

/** Whether a text says that something is done or off: `took it back, she had not seen it` does, `not paid` and `paid if` do not. */
function isDone(text: string): boolean {
  const done = DONE.exec(text);
  if (!done) return false;
  const end = done.index + done[0].length;
  return !NOT_YET.test(text.slice(0, end)) && !CONDITION.test(text.slice(end));
}

/** Dues of which no later memory says that they are done, off, or on another day. */
export function withoutSettled(dues: readonly Due[], reading: Reading): Due[] {
  const having = indexOf(reading.memories, ({ terms }) => terms);
  return dues.filter((due) => {
    const { of } = due.sentence;
    const rare = subjectOf(due, reading);
    const least = Math.min(2, rare.size);
    return ![...sharing(rare, least, having)].some(
      (later) =>
        later.memory.time > of.memory.time &&
        !isOfAnother(of, later) &&
        later.sentences.some((said) => isDone(said.text) && said.tokens.some(({ term }) => rare.has(term))),
    );
  });
}

/** Dues of which a later one gives another day for the same thing are left out. */
export function withoutSuperseded(dues: readonly Due[], reading: Reading): Due[] {
  const subjects = new Map(dues.map((due) => [due, subjectOf(due, reading)]));
  const subject = (due: Due): ReadonlySet<string> => subjects.get(due) ?? new Set();
  const having = indexOf(dues, subject);
  return dues.filter(
    (due) =>
      ![...sharing(subject(due), 2, having)].some(
        (other) =>
          other.sentence.of.memory.time > due.sentence.of.memory.time &&
          other.on !== due.on &&
          !isOfAnother(due.sentence.of, other.sentence.of),
      ),
  );
}

/** Who has a term: comparing each with each takes minutes where there are ten thousand. */
function indexOf<T>(all: readonly T[], termsOf: (one: T) => ReadonlySet<string>): Map<string, T[]> {
  const having = new Map<string, T[]>();
  for (const one of all)
    for (const term of termsOf(one)) {
      const list = having.get(term);
      if (list) list.push(one);
      else having.set(term, [one]);
    }
  return having;
}

/** Whoever has at least so many of some terms. */
function sharing<T>(
  terms: ReadonlySet<string>,
  least: number,
  having: ReadonlyMap<string, readonly T[]>,
): Set<T> {
  const counts = new Map<T, number>();
  for (const term of terms)
    for (const one of having.get(term) ?? []) counts.set(one, (counts.get(one) ?? 0) + 1);
  return new Set([...counts].flatMap(([one, count]) => (count >= least ? [one] : [])));
}

/** What is due, by terms that few memories have; the date and the word that makes it due are not what it is about. */
function subjectOf({ sentence, said, by, what }: Due, reading: Reading): Set<string> {
  const aside = (what === 'appointment' ? said : `${said} ${by}`).toLowerCase();
  const about = sentence.tokens.flatMap(({ says, shape, term, text }) =>
    says && term.length > 1 && shape !== 'number' && !aside.includes(text.toLowerCase()) ? [term] : [],
  );
  const most = Math.max(6, reading.memories.length * 0.015);
  return new Set([...about, ...sentence.of.keyTerms].filter((term) => reading.frequency(term) <= most));
}

/** Whether each of two names somebody whom the other does not: one child's passport is not the other's. */
function isOfAnother(a: ReadMemory, b: ReadMemory): boolean {
  const has = (one: ReadMemory, other: ReadMemory) =>
    one.sentences.some(({ tokens }) =>
      tokens.some(
        ({ shape, says, term }) =>
          shape === 'name' && says && !isOfCalendar(`t:${term}`) && !other.terms.has(term),
      ),
    );
  return has(a, b) && has(b, a);
}
