import { toldLine } from '../reader/told-line.ts';
import { describeDays } from './rhythm.ts';
import { readNamespace } from '../notes/reading.ts';
import {
  LONG,
  quotedIn,
  type QuotedReading,
  sentenceAbout,
  sheetNote,
  SHORT,
} from '../reader/sheet-notes.ts';
import type { DreamView, Proposal, SheetFinding, SheetTask } from '../strategies/strategy.ts';
import { longDate, shorten } from '../notes/day-and-quote.ts';
import { maybeTells } from './may-tell.ts';

const DAY = 86_400_000;
const SHOWN = 260;
const SURE = 0.7;
/** Fewer days are no recurrence. */
const LEAST = 3;
const EXAMPLES = 8;

/** Has a model find memories of a sheet that tell of one thing happening again; what it finds on several sheets is put together. */
export const patternSheets = {
  find: `You read dated notes of one person, oldest first. Find sets of two or more notes, of different days, that tell of the very same thing happening again: the same fault, mishap, ailment, disturbance, favour or incident of the same thing or person, often in quite other words.
None: notes that only share a topic, a place or a person; parts of one affair within a few days; regular dates as planned; rules, plans and descriptions; readings of a meter.
For each set say in "what" what keeps happening, in a few words of the notes, and quote all of its notes.`,
  turns: [SHORT, LONG],
  notes: (view: DreamView) =>
    readNamespace(view)
      .memories.filter(maybeTells)
      .map((one) => sheetNote(one, SHOWN)),
  async proposals(view: DreamView, found: readonly SheetFinding[]): Promise<Proposal[]> {
    const { byId } = readNamespace(view);
    const groups = together(found).flatMap(({ quotes, what }) => {
      const memories = onePerDay(quotedIn(quotes, byId));
      return memories.length < LEAST ? [] : [{ memories, what }];
    });
    return Promise.all(groups.map(({ memories, what }) => proposalOf(memories, what)));
  },
} satisfies SheetTask;

/** Findings that share a memory are one: a sheet rarely holds all occasions. What the largest was called is what it is. */
function together(found: readonly SheetFinding[]): SheetFinding[] {
  type Quotes = Map<number, SheetFinding['quotes'][number]>;
  const joined: { quotes: Quotes; largest: SheetFinding }[] = [];
  for (const one of found) {
    const quotes: Quotes = new Map(one.quotes.map((quote) => [quote.id, quote]));
    let largest = one;
    for (const other of joined.filter((group) => one.quotes.some(({ id }) => group.quotes.has(id)))) {
      for (const [id, quote] of other.quotes) if (!quotes.has(id)) quotes.set(id, quote);
      if (other.largest.quotes.length >= largest.quotes.length) ({ largest } = other);
      joined.splice(joined.indexOf(other), 1);
    }
    joined.push({ quotes, largest });
  }
  return joined.map(({ quotes, largest: { what } }) => ({ quotes: [...quotes.values()], what }));
}

function onePerDay(memories: readonly QuotedReading[]): QuotedReading[] {
  const byDay = new Map<number, QuotedReading>();
  for (const one of memories.toSorted((a, b) => a.memory.time - b.memory.time || a.memory.id - b.memory.id))
    if (!byDay.has(one.day)) byDay.set(one.day, one);
  return [...byDay.values()];
}

async function proposalOf(memories: readonly QuotedReading[], what: string): Promise<Proposal> {
  const days = memories.map(({ day }) => day);
  const line = await toldLine(what, memories);
  const about = line ?? memories.map(({ memory }) => memory.key).join(', ');
  const times = `${memories.length} times from ${longDate((days[0] ?? 0) * DAY)} to ${longDate((days.at(-1) ?? 0) * DAY)}`;
  return {
    strategy: 'pattern',
    title: `${shorten(about, 190 - times.length)}: ${times}`,
    body: `${describeDays(days)} A language model found it.`,
    evidence: memories
      .slice(0, EXAMPLES)
      .map((one) => ({ key: one.memory.key, sentence: sentenceAbout(one, one.words) })),
    confidence: SURE,
    content: 'recurs',
  };
}
