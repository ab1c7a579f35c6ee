import { isoDay } from '../../../language/notes/noted-day.ts';
import { denies, saidIn, says } from '../../../language/words/grammar.ts';
import type { Proposal } from '../proposal.ts';
import { daysIn, isOfSpan, lastDayOf, type NamedDay } from './days.ts';
import { DUE, LIMIT, LIMIT_BEFORE, WAS_DUE } from './due-words.ts';
import { type Due, labelledDues } from './labelled-dues.ts';
import { byAge, type Note, type NoteSentence, type Notes, proposalOf } from './notes.ts';
import { isGrammar, tellsPast, wordsIn } from './words.ts';

const DAY = 86_400_000;
const MOST = 40;
/** What is further away is no news yet. */
const AHEAD = 400 * DAY;
/** A day without its year is meant where it is so near to when it was written. */
const WITHOUT_YEAR = { told: 183 * DAY, untold: 60 * DAY } as const;
/** Characters before and behind a day in which a word makes it due. */
const NEAR = { before: 70, after: 45 } as const;
/** A sentence with more days is a list of them. */
const MOST_DAYS = 6;
/** Share of what something due is about that another note has to speak of to settle it, or to tell it again. */
const ABOUT = 0.5;

/** Finds what is due on an explicit day to come, and that nothing later settles. */
export function forecast({ all, now }: Notes): Proposal[] {
  const ahead = (due: Due) => lastDayOf(due) > now - DAY && due.on <= now + AHEAD;
  const dues = all
    .flatMap((note) => {
      const labelled = labelledDues(note);
      const others = note.sentences.flatMap(duesIn);
      return [...labelled, ...others.filter(({ on }) => !labelled.some((due) => due.on === on))];
    })
    .filter(ahead)
    .sort((a, b) => a.on - b.on || byAge(b.of, a.of))
    .slice(0, 3 * MOST);
  return once(unsettled(dues, all)).slice(0, MOST).map(proposed);
}

/** What may name a day. */
const MAY_NAME_DAY = /20\d\d|\d(?:st|nd|rd|th|er|\.)?\s(?:de\s|of\s)?\p{L}{3}|\p{L}{3}\.?\s\d/u;

/** What a sentence says is due, whenever that is. Nothing that is done, off, asked, imagined, quoted or past. */
export function duesIn(sentence: NoteSentence): Due[] {
  const { text, of, task } = sentence;
  if (task === 'done' || !MAY_NAME_DAY.test(text) || (task !== 'open' && !mayBeDue(text))) return [];
  const time = of.ownDay ?? of.memory.time;
  const named = daysIn(text, time);
  if (named.length > MOST_DAYS) return [];
  const days = named.filter((day) => isDue(sentence, day, time));
  const best = days.find((day) => LIMIT_BEFORE.test(text.slice(0, day.start))) ?? days[0];
  const next = of.sentences[of.sentences.indexOf(sentence) + 1]?.text ?? '';
  if (!best || isNothing(text) || (next.length < 50 && isDone(next))) return [];
  const { on, grain } = best;
  const about = wordsIn(text).filter(
    (word) => !isGrammar(word) && (word.end <= best.start || word.start >= best.end) && !DUE.test(word.text),
  );
  const title = text.replace(/^\[.\]\s+/u, '');
  return [{ of, quote: text, title, on, grain, about: new Set(about.map(({ norm }) => norm)) }];
}

/** Hours: what has one takes place. */
const CLOCK =
  /^(?:,|\sat|\sum|\sà|\sa las|\sàs|\salle|\som)?\s\d{1,2}(?:[:.h]\d\d|\s?[ap]m|\s?uhr|\sh)(?!\d)/iu;

const NO_DENIAL = /no(?:t)? later than|don['’]t forget|nicht vergessen|nicht später als/iu;
/** It comes each year, or each of many has it. */
const EVERY =
  /(?<!\p{L})(?:every|each|jede[nrsm]?|chaque|cada|ogni|elke?|yearly|annually|jährlich)(?!\p{L})/iu;

function mayBeDue(text: string): boolean {
  return DUE.test(text) || LIMIT.test(text) || /\d[:.h]\d\d|\d\s?(?:[ap]m|uhr|h)(?!\p{L})/iu.test(text);
}

function isDue({ text, task, of }: NoteSentence, day: NamedDay, time: number): boolean {
  if (isOfSpan(text, day) || isOddlyQuoted(text.slice(0, day.start))) return false;
  const reach = of.day === undefined ? WITHOUT_YEAR.untold : WITHOUT_YEAR.told;
  if (day.isWithoutYear && (day.on - time > reach || EVERY.test(text) || tellsPast(text))) return false;
  const before = text.slice(Math.max(0, day.start - NEAR.before), day.start);
  const clause = before.split(/[;!?]\s|\.\s/u).at(-1) ?? '';
  const after = text.slice(day.end, day.end + NEAR.after).split(/[;!?]|\.(?:\s|$)/u, 1)[0] ?? '';
  const word = DUE.exec(clause);
  if ((word && WAS_DUE.test(clause.slice(0, word.index))) || denies(clause.replace(NO_DENIAL, '')))
    return false;
  const hasClock = day.grain === 'day' && CLOCK.test(text.slice(day.end));
  return task === 'open' || word !== null || hasClock || LIMIT_BEFORE.test(before) || DUE.test(after);
}

/** Asked, a piece of a quotation, off, or done. */
function isNothing(text: string): boolean {
  return /\?\s*["”»)]*\s*$/u.test(text) || isOddlyQuoted(text) || isOff(text) || isDone(text);
}

/** A quotation begins, or ends, and does not end or begin. */
function isOddlyQuoted(text: string): boolean {
  return (text.match(/["“”„«»`]/gu)?.length ?? 0) % 2 === 1;
}

function isOff(text: string): boolean {
  return says(text.replaceAll(/renew(?:al)? is off/giu, ''), 'called-off');
}

/** What is to be done is not done: `has to be paid`. */
const OPEN =
  /(?<!\p{L})(?:be|get|not|nicht|pas|werden|être|ser|essere|worden|until|is|are|to|it)\s(?:\p{L}+\s)?$/iu;
const STAYS_OPEN = /^\s(?:(?:\p{L}+\s){0,2}(?:by|until|till|bis|werden|sein)|on\s\d)(?!\p{L})/iu;

/** `Is renewed.` */
const IS_OVER = /^\s*(?:[.,;:!)]|$|for(?!\p{L}))/u;

/** Whether a text says that something has been done. */
function isDone(text: string): boolean {
  return saidIn(text, 'done').some(({ start, end }) => {
    const after = text.slice(end);
    const open = OPEN.exec(text.slice(0, start))?.[0].trim() ?? '';
    const isOver = open === '' || (/^(?:is|are|ist)$/iu.test(open) && IS_OVER.test(after));
    return isOver && !STAYS_OPEN.test(after);
  });
}

/** Those that no later note settles: done, off, or on another day. */
function unsettled(dues: readonly Due[], all: readonly Note[]): Due[] {
  const byWord = new Map<string, Due[]>();
  for (const due of dues) for (const word of due.about) byWord.set(word, [...(byWord.get(word) ?? []), due]);
  const over = new Set<Due>();
  if (dues.length > 0)
    for (const note of all) for (const sentence of note.sentences) settle(sentence, byWord, over);
  return dues.filter((due) => !over.has(due));
}

function settle(sentence: NoteSentence, byWord: ReadonlyMap<string, readonly Due[]>, over: Set<Due>): void {
  const { text, task, of } = sentence;
  const shared = new Map<Due, number>();
  for (const norm of new Set(wordsIn(text).map((word) => word.norm)))
    for (const due of byWord.get(norm) ?? []) if (!over.has(due)) shared.set(due, (shared.get(due) ?? 0) + 1);
  const dues = [...shared].filter(
    ([due, count]) =>
      count >= Math.max(ABOUT * due.about.size, Math.min(2, due.about.size)) &&
      of !== due.of &&
      byAge(of, due.of) > 0,
  );
  if (dues.length === 0) return;
  const isOver = task === 'done' || isDone(text) || isOff(text);
  const others = isOver ? [] : duesIn(sentence);
  for (const [due, count] of dues) {
    const isMoved = others.some(({ on, about }) => on !== due.on && about.size <= count / ABOUT);
    if (isMoved || isOver) over.add(due);
  }
}

/** What is told twice comes up once, as it was told last. */
function once(dues: readonly Due[]): Due[] {
  const isAgain = (a: Due, b: Due) =>
    a.on === b.on &&
    (a.of === b.of ||
      a.title === b.title ||
      a.about.intersection(b.about).size >= Math.max(1, ABOUT * Math.min(a.about.size, b.about.size)));
  return dues.filter((due, at) => !dues.slice(0, at).some((other) => isAgain(other, due)));
}

function proposed({ of: note, quote, title, on, grain }: Due): Proposal {
  const day = isoDay(on).slice(0, grain === 'day' ? 10 : 7);
  return proposalOf('forecast', [{ note, text: quote }], {
    title,
    body: `${day}: "${note.memory.key}" says so.`,
    confidence: 0.9,
    dueOn: on,
    content: `due ${day}`,
  });
}
