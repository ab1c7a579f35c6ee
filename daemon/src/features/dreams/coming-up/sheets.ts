import { loadFindDates } from '../../../language/dates.ts';
import { toldLine } from '../reader/told-line.ts';
import { borneOut, type NamedDay, namedDay } from './named-day.ts';
import { hintsIn } from './hints.ts';
import { type ReadMemory, readNamespace } from '../notes/reading.ts';
import { quotedIn, type QuotedReading, sentenceAbout, sheetNote, SHORT } from '../reader/sheet-notes.ts';
import type { DreamView, Proposal, SheetFinding, SheetNote, SheetTask } from '../strategies/strategy.ts';
import { isoDate, longDate, shorten } from '../notes/day-and-quote.ts';

const DAY = 86_400_000;
/** Characters of a memory on a sheet, and of one that comes along. */
const SHOWN = { due: 400, company: 220 } as const;
/** Characters before and after what may be a date in a long memory. */
const AROUND = 130;
/** What is further away is not news yet. */
const HORIZON = 400 * DAY;
const SURE = 0.75;

/** Has a model find memories of a sheet that promise or demand something on a day still to come. */
export const dueSheets = {
  find: `You read dated notes of one person, oldest first; the date before a note is the day on which it was written. Find what is still ahead: notes that say that on a day, or in a month, after today something is due, ends, runs out, has to be done, handed in, paid or given back, or takes place, for the person who writes, the family or their work.
Work the day out from the day on which the note was written: "in three weeks", "by the 28th", "on Friday"; "a week on Tuesday" is the Tuesday after the coming one; a month or a day without a year is the next one after the note.
None: what is past; what the note or a later one says is done, paid, given back, off, or on another day (then only the new day counts); what is only wished, possible, imagined or an example; birthdays and anniversaries; what is so every week or month; facts of the calendar, news and other people's affairs that ask nothing of them; a day that is only mentioned beside the one that counts.
For each say in "what" what is due, in a few words of the note; in "date" the day as YYYY-MM-DD, or YYYY-MM where only a month is said; and quote the note that says so.`,
  turns: [SHORT],
  isOfDays: true,
  isDoubted: true,
  notes: (view: DreamView) =>
    readNamespace(view).memories.flatMap((one) => {
      const { value, time } = one.memory;
      const hints = hintsIn(value, time, spanOf(view));
      if (hints.length === 0) return [];
      const places = hints.map(({ start }) => start);
      const note = sheetNote(one, SHOWN.due, value.length <= SHOWN.due ? value : cutAround(value, places));
      const anew = hints.filter(({ until }) => hasComeNear(until, { time, now: view.now })).length;
      return [anew === 0 ? note : { ...note, anew }];
    }),
  company: (view: DreamView): SheetNote[] =>
    readNamespace(view).memories.map((one) => sheetNote(one, SHOWN.company)),
  async proposals(view: DreamView, found: readonly SheetFinding[]): Promise<Proposal[]> {
    const findDates = await loadFindDates();
    const { byId } = readNamespace(view);
    const [first, last] = spanOf(view);
    const seen = new Set<string>();
    const dues = found.flatMap(({ quotes, what, date = '' }) => {
      const day = namedDay(date);
      if (!day) return [];
      for (const one of quotedIn(quotes, byId)) {
        const said = saidBy(one, day, (text) => borneOut(day, { text, time: one.memory.time }, findDates));
        if (!said) continue;
        const due: NamedDay = said.grain === 'month' ? { on: beginning(day.on), grain: 'month' } : day;
        const ends = due.grain === 'month' ? endOfMonth(due.on) : due.on;
        const name = `${one.memory.id} ${isoOf(due)}`;
        if (ends < first || due.on > last || ends < one.memory.time - DAY || seen.has(name)) return [];
        seen.add(name);
        return [{ due, one, sentence: said.sentence, what }];
      }
      return [];
    });
    return Promise.all(dues.map(({ due, ...of }) => proposalOf(due, { ...of, now: view.now })));
  },
} satisfies SheetTask;

/** Whether a day was no news yet when it was written of, and is now: who read of it then has not proposed it. */
function hasComeNear(until: number, { time, now }: { time: number; now: number }): boolean {
  return until > time + HORIZON && until <= now + HORIZON;
}

/** From the beginning of today to what is no news yet. */
function spanOf({ now }: DreamView): [first: number, last: number] {
  return [Math.floor(now / DAY) * DAY, now + HORIZON];
}

/** Where a memory says that something is on a day: a sentence of it, or what it says as a whole, told by the sentence that is nearest to that. */
function saidBy(
  one: ReadMemory,
  day: NamedDay,
  read: (text: string) => NamedDay['grain'] | undefined,
): { sentence: string; grain: NamedDay['grain'] } | undefined {
  const graded = one.sentences.flatMap(({ text }) => {
    const grain = read(text);
    return grain ? [{ sentence: text, grain }] : [];
  });
  const best = graded.find(({ grain }) => grain === day.grain) ?? graded[0];
  if (best) return best;
  const grain = read(one.memory.value);
  return grain && { sentence: sentenceAbout(one, longDate(day.on)), grain };
}

function beginning(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function endOfMonth(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0);
}

function isoOf({ on, grain }: NamedDay): string {
  return grain === 'month' ? isoDate(on).slice(0, 7) : isoDate(on);
}

async function proposalOf(
  due: NamedDay,
  { one, sentence, what, now }: { one: QuotedReading; sentence: string; what: string; now: number },
): Promise<Proposal> {
  const { key, time } = one.memory;
  const date = due.grain === 'month' ? longDate(due.on).replace(/^\d+ /u, '') : longDate(due.on);
  const days = Math.round((due.on - Math.floor(now / DAY) * DAY) / DAY);
  const away =
    due.grain === 'month'
      ? 'no day of it'
      : days === 0
        ? 'which is today'
        : `${days} days from ${longDate(now)}`;
  const said = (await toldLine(what, [one], [date])) ?? sentence;
  return {
    strategy: 'forecast',
    title: `${date}: ${shorten(said.replaceAll(/\s+/gu, ' '), 170)}`,
    body: `"${key}" names ${date} (${isoOf(due)}), ${away}. It was written on ${longDate(time)}. A language model found it.`,
    evidence: [{ key, sentence }],
    confidence: SURE,
    content: `due ${isoOf(due)}`,
    dueOn: due.on,
  };
}

/** What stands around some places of a text, the later of them first given up. */
function cutAround(text: string, places: readonly number[]): string {
  const parts: [from: number, to: number][] = [];
  let room = SHOWN.due;
  for (const place of places) {
    const [from, to] = [Math.max(0, place - AROUND), Math.min(text.length, place + AROUND)];
    const last = parts.at(-1);
    const start = last && from <= last[1] ? last[1] : from;
    if (to - start > room) break;
    room -= Math.max(0, to - start);
    if (last && start === last[1]) last[1] = Math.max(last[1], to);
    else parts.push([from, to]);
  }
  return parts
    .map(
      ([from, to]) =>
        `${from > 0 ? '… ' : ''}${text.slice(from, to).toWellFormed()}${to < text.length ? ' …' : ''}`,
    )
    .join(' ');
}
