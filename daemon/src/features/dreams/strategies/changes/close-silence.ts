import { cuesOf, isThisOnce, isWished } from './cues.ts';
import type { ClosePair, FrameSlot } from './frame-slots.ts';
import { isToldChange } from './told.ts';
import { saysOnce, tellsEvent } from '../tense.ts';
import type { ReadSentence } from '../reading.ts';
import { valuesOf } from '../values.ts';

/** What is so for a time, was so, or is to be done. */
const PASSING =
  /(?<!\p{L})(?:was|were|had|didn['’]t|wasn['’]t|used to|remind(?:er)?|remember|don['’]t forget|appointment|booked|reserved|ordered|tickets?|flight|train to|deadline|hand in|due|invoice|receipt|paid|spent|beat|won|lost|drew|cost us|for now|temporarily|at the moment|currently at|talk|exam|interview|hearing|viewing|strike|next|tonight|tomorrow|today|yesterday|until|bis|so far|in stock|in total|to date|left over|to go)(?!\p{L})/iu;
/** What goes on of itself: told of another day, it is another one. */
const GROWS =
  /(?<!\p{L})(?:age|aged|years? old|months? old|turns|shoe size|size|tall|height|weight|weighs?|kilos|score|scored|rank(?:ed|ing)?|place in|level|streak|subscribers|followers|members|stars|downloads|visitors|orders|signups|mileage|odometer|on the clock|km on|battery|coverage|backlog|open (?:issues|tickets)|progress|done|chapter|lap|record|personal best|pb|temperature|pressure (?:is|was|at)|blood pressure|pulse|glucose|humidity|benchmark|took|takes? (?:about|around|some)|latency|p9[059]|throughput|measured|grade|mark|result|stock|test runs?|runs? of|through|finished|left|remaining|worn|used|owes?|owed|lent|rate at|takings|yield|harvest|sales|revenue|turnover|income|earnings)(?!\p{L})/iu;
/** How many there are, and where somebody is: as it is on that day. */
const ON_THAT_DAY =
  /(?<!\p{L})(?:has|have|there are|there is|it is|it['’]s|we are|we['’]re|i have)\s(?:about |some |only )?(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\s(?!days? to|weeks? to|months? to|minutes? to|hours? to)\p{L}{3}/u;
const WHEREABOUTS = /^\p{Lu}\p{Ll}+ (?:is|are) (?:in|at) (?!\d)/u;
/** What is counted or measured, rather than named. */
const FIGURE =
  /^\D{0,2}\d[\d.,]*(?: ?\D{1,4})?$|^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)$/iu;
/** Says which one is meant, not what is so of it. */
const LABEL =
  /(?<!\p{L})(?:ticket|issue|pull request|merge request|bug|order|invoice|page|chapter|episode|sprint|week|step|item|case|build|commit|revision|migration|adr|decision|lesson|part|round|season|volume|section|figure|day|article|row|plate|batch|quire|folio|lot|draft|phase|stage|session|attempt|try|test|experiment|sample|no|nr)s?\.?\s*[#:]?\s*$/iu;
const REQUEST = /(?<!\p{L})(?:PR|MR)s? ?[#!]?$/u;
/** A row of a list, or of a table. */
const ROW = /^\s*(?:[-*•|]|\d+[.)]\s)|\|/u;
/** What is told of one day by its weekday: `on Thursday`, but not `on Thursdays` or `every Thursday`. */
const ONE_DAY = /(?:mon|tues|wednes|thurs|fri|satur|sun)day$/iu;
const EACH_WEEK =
  /(?<!\p{L})(?:every|each|always|weekly|second|other|last|works?|out|collected|open|closed|lesson|practice|rehearsal|class|course|club|meeting|day|retro|stand-?up|release|market)(?!\p{L})|days(?!\p{L})/iu;
const DAY = 86_400_000;

/** Whether two sentences that differ in one slot may yet both hold: of what passes, grows, is one of a list, or was told to have changed. */
export function isSilent({ older, newer, slot }: ClosePair): boolean {
  if (isToldChange(newer)) return true;
  if (slot.clauses.some((clause) => tellsEvent(clause))) return true;
  const isCounted = [slot.from, slot.to].every((said) => FIGURE.test(said));
  for (const { text } of [older, newer]) {
    if (
      ROW.test(text) ||
      WHEREABOUTS.test(text) ||
      PASSING.test(text) ||
      saysOnce(text) ||
      isWished(text) ||
      isThisOnce(text)
    )
      return true;
    if (isCounted && (GROWS.test(text) || ON_THAT_DAY.test(text) || cuesOf(text).measure > 0)) return true;
  }
  if (slot.isDenial) return false;
  return (
    isLabel(older, slot.from) ||
    isLabel(newer, slot.to) ||
    isOneDay(older, slot) ||
    hasPassed(older, newer, slot)
  );
}

function isLabel({ text }: ReadSentence, value: string): boolean {
  const before = text.slice(0, text.lastIndexOf(value));
  return LABEL.test(before) || REQUEST.test(before);
}

/** `The lesson is on Tuesday`, of a day that is gone. */
function isOneDay({ text }: ReadSentence, { from, to }: FrameSlot): boolean {
  return ONE_DAY.test(from) && ONE_DAY.test(to) && !EACH_WEEK.test(text);
}

/** A date that was past when the newer one was told: what comes then is another time. Birthdays are told of people, and stay. */
function hasPassed(older: ReadSentence, newer: ReadSentence, { from, to }: FrameSlot): boolean {
  if (/birthday|born|anniversary|name day|geburtstag|anniversaire/iu.test(older.text)) return false;
  const dates = valuesOf(older.text.replace(/\.\s*$/u, '')).filter(({ kind }) => kind === 'date');
  if (dates.length === 0) return false;
  const at = (norm: string): number => {
    const [month = 1, day = 1, year] = norm.split('-').map(Number);
    const told = new Date(older.of.memory.time);
    const time = Date.UTC(year ?? told.getUTCFullYear(), month - 1, day);
    // A day without a year is the next one of that name.
    return year === undefined && time < told.getTime() - DAY
      ? Date.UTC(told.getUTCFullYear() + 1, month - 1, day)
      : time;
  };
  const isSlot = dates.some(({ text }) => text.includes(from) || from.includes(text)) || /^\d/u.test(to);
  return isSlot && dates.some(({ norm }) => at(norm) < newer.of.memory.time);
}
