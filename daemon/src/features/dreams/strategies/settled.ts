import type { Due } from './due.ts';
import { isOfCalendar } from './happened.ts';
import type { Reading, ReadMemory, ReadSentence } from './reading.ts';

const DONE =
  /(?<!\p{L})(?:done|paid|sent|submitted|handed in|handed over|renewed|cancel(?:l)?ed|returned|filed|signed|settled|sorted|finished|extended|collected|picked up|delivered|posted|registered|applied|confirmed|completed|passed|arrived(?! (?:at|in|late|home|there|on time|an hour))|is here|got the new|no longer needed|took place|went well|went fine|is over|behind us|ticked off|brought back|gave back|took back|(?:took|brought|gave|sent|handed) (?:\p{L}+ ){1,4}back|dropped off|has moved|migrated|bezahlt|überwiesen|erledigt|abgegeben|abgeholt|verschickt|gekündigt|verlängert|payée?|envoyée?s?|rendue?s?|renouvelée?|réglée?|called off|fell through|postponed|moved|rescheduled|brought forward|pushed (?:back|to)|put off|verschoben|reportée?|new date)(?!\p{L})/iu;
const CONDITION = /^[^.;]{0,30}(?<!\p{L})(?:if|unless|until)(?!\p{L})/iu;
const NOT_YET =
  /(?<!\p{L})(?:to be|must be|has to be|have to be|not|yet|will be|should be|isn[’']t|hasn[’']t|haven[’']t|nobody|if|unless|until|nicht|noch|doit|doivent|muss)(?!\p{L})/iu;

/** `Mop had his vaccination today, ahead of time`, `the crowd will not come after all`, `the course is off`. */
const HAPPENED =
  /(?<!\p{L})(?:had|got|did|went|took|gave|held|sat|was|were|came|held|passed|handed|delivered|renewed|signed|posted|collected|picked|finished|visited|checked|inspected|performed|played|celebrated|filed|replaced|changed|serviced|fetched|registered|submitted|cleaned|swept|paid|sent|gab|hatte|hat|war|a eu)(?!\p{L})[^.;?]{0,80}(?<!\p{L})(?:(?:earlier )?today|this (?:morning|afternoon|evening)|yesterday|last night|just now|ahead of (?:time|schedule|its? date)|in good time|(?:an?|one|two|three|four|\d+) (?:days?|weeks?|months?) (?:early|earlier|ahead|before time)|heute|gestern|aujourd['’]hui|hier)(?!\p{L})/iu;
const CALLED_OFF =
  /(?<!\p{L})(?:(?:will not|won['’]t|is not|isn['’]t|are not|aren['’]t|does not|doesn['’]t|do not|don['’]t|not|no) [^.;?]{0,60}after all|(?:is|are|has been|have been) (?:now )?off(?=\s*(?:[.,;:!]|$|until|again|then|this|for good))|(?:came|comes) to nothing|is not needed|are not needed|need not|needn['’]t|not necessary (?:any ?more|after all)|was (?:dropped|scrapped)|abgesagt|fällt aus|findet nicht statt|annulée?)(?!\p{L})/iu;
const AHEAD = /(?<!\p{L})(?:tomorrow|next (?:week|month|year)|will be|to be|morgen|demain)(?!\p{L})/iu;

/** What goes before and says that it was not. */
const NOT_DONE =
  /(?<!\p{L})(?:not|n['’]t|nobody|never|nothing|no|nicht|kein\p{L}*|pas|almost|nearly)(?!\p{L})/iu;
/** It was only talked of. */
const TALKED =
  /(?<!\p{L})(?:asked|asks|wanted|wants|reminded|reminder|wrote|letter|rang|phoned|called|talked|spoke|about)(?!\p{L})/iu;

/** Whether a text says that something is done or off: `took it back, she had not seen it` does, `not paid` and `paid if` do not. */
function isDone(text: string): boolean {
  if (CALLED_OFF.test(text)) return true;
  const happened = HAPPENED.exec(text);
  if (
    happened &&
    !AHEAD.test(text) &&
    !TALKED.test(text) &&
    !NOT_DONE.test(text.slice(0, happened.index + happened[0].length))
  )
    return true;
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
    const known = subjectOf(due, reading, KNOWN);
    const isLater = (later: ReadMemory) => later.memory.time > of.memory.time && !isOfAnother(of, later);
    const settles = (said: ReadSentence) => isDone(said.text) && has(said, rare) > 0;
    const most = Math.min(2, rare.size);
    return (
      ![...sharing(rare, most, having)].some((later) => isLater(later) && later.sentences.some(settles)) &&
      ![...sharing(rare, 1, having)].some(
        (later) => isLater(later) && later.sentences.some((said) => settles(said) && has(said, known) > 1),
      )
    );
  });
}

/** How many of some terms a sentence has. */
function has({ tokens }: ReadSentence, terms: ReadonlySet<string>): number {
  return new Set(tokens.flatMap(({ term }) => (terms.has(term) ? [term] : []))).size;
}

/** Dues of which a later one gives another day for the same thing are left out. */
export function withoutSuperseded(dues: readonly Due[], reading: Reading): Due[] {
  const isOtherDay = (due: Due) => (other: Due) =>
    other.sentence.of.memory.time > due.sentence.of.memory.time &&
    other.on !== due.on &&
    !isOfAnother(due.sentence.of, other.sentence.of);
  const among = (most: Frequent) => {
    const subjects = new Map(dues.map((due) => [due, subjectOf(due, reading, most)]));
    const having = indexOf(dues, (due) => subjects.get(due) ?? new Set());
    return (due: Due) => [...sharing(subjects.get(due) ?? new Set(), 2, having)].filter(isOtherDay(due));
  };
  const [rarely, known] = [among(RARE), among(KNOWN)];
  return dues.filter(
    (due) =>
      rarely(due).length === 0 && !known(due).some(({ sentence: { text } }) => givesUpDay(text, due.on)),
  );
}

/** Whether a text names a day as the one that it is not: `he cannot on the 27th, so it is the 11th of December`, `moved from the 27th`. */
function givesUpDay(text: string, on: number): boolean {
  const day = new Date(on).getUTCDate();
  const named = `(?:\\p{L}+day,? )?(?:the )?${day}(?:st|nd|rd|th|\\.)?(?!\\d|[:.,]\\d)`;
  return new RegExp(
    `(?<!\\p{L})(?:cannot|can['’]t|can not|could not|couldn['’]t|not|instead of|rather than|from|statt(?: am)?|nicht(?: am)?|au lieu du) (?:\\p{L}+ ){0,3}?${named}`,
    'iu',
  ).test(text);
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

/** In how many memories a term may stand: so many at least, or a share of all. */
interface Frequent {
  readonly least: number;
  readonly share: number;
}
const RARE: Frequent = { least: 6, share: 0.015 };
/** Somebody, or a thing, of whom a namespace speaks now and then. */
const KNOWN: Frequent = { least: 12, share: 0.05 };

/** What is due, by terms that few memories have; the date and the word that makes it due are not what it is about. */
function subjectOf({ sentence, said, by, what }: Due, reading: Reading, few = RARE): Set<string> {
  const aside = (what === 'appointment' ? said : `${said} ${by}`).toLowerCase();
  const about = sentence.tokens.flatMap(({ says, shape, term, text }) =>
    says && term.length > 1 && shape !== 'number' && !aside.includes(text.toLowerCase()) ? [term] : [],
  );
  const most = Math.max(few.least, reading.memories.length * few.share);
  return new Set([...about, ...sentence.of.keyTerms].filter((term) => reading.frequency(term) <= most));
}

/** Whether each of two names somebody whom the other does not: one child's passport is not the other's. */
function isOfAnother(a: ReadMemory, b: ReadMemory): boolean {
  const names = (one: ReadMemory, other: ReadMemory) =>
    one.sentences.some(({ tokens }) =>
      tokens.some(
        ({ shape, says, term }) =>
          shape === 'name' && says && !isOfCalendar(`t:${term}`) && !other.terms.has(term),
      ),
    );
  return names(a, b) && names(b, a);
}
