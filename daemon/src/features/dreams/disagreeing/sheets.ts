import { toldLine } from '../reader/told-line.ts';
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
import { dayOf, shorten } from '../notes/day-and-quote.ts';

/** Characters of a memory on a sheet. */
const SHOWN = 500;
/** A model that reads more than two notes at once has named them; it has not weighed them as long as a pair. */
const SURE = 0.75;

/** Has a model find two memories of a sheet that cannot both hold today. */
export const contradictSheets = {
  find: `You read dated notes of one person, oldest first. Find pairs of notes that cannot both hold today: they speak of the same thing and the same property of it (a value, place, day, person in charge, tool, rule, habit, taste, illness), the newer gives it another value, so whoever reads only the older is wrong. The newer often uses other words, leaves the thing unnamed, or only lets it be inferred.
None: two things of one kind (another service, child, room, door); what is told as past or as a single event; a plan and its outcome; readings of different days; opinions of two people; notes that add to or repeat each other.
For each pair say in "what" of what, and the older and the newer value in the words of the notes, in one short line; quote both notes.`,
  // Two that say the same of one thing in other words are far from each other: a short sheet has no room for a third of them (0026).
  turns: [SHORT, LONG, LONG, LONG],
  isDoubted: true,
  notes: (view: DreamView) => readNamespace(view).memories.map((one) => sheetNote(one, SHOWN)),
  async proposals(view: DreamView, found: readonly SheetFinding[]): Promise<Proposal[]> {
    const { byId } = readNamespace(view);
    const seen = new Set<string>();
    const pairs = found.flatMap(({ quotes, what }) => {
      const [older, newer, ...more] = quotedIn(quotes, byId);
      const pair = quotes.map(({ id }) => id).join(' ');
      if (!older || !newer || more.length > 0 || seen.has(pair)) return [];
      seen.add(pair);
      return [{ both: [older, newer] as const, what }];
    });
    return Promise.all(pairs.map(({ both, what }) => proposalOf(both, what)));
  },
} satisfies SheetTask;

async function proposalOf(
  [older, newer]: readonly [QuotedReading, QuotedReading],
  what: string,
): Promise<Proposal> {
  const [a, b] = [older.memory.key, newer.memory.key];
  const line = await toldLine(what, [older, newer]);
  return {
    strategy: 'contradict',
    title: shorten(line ?? `${a}, ${b}: as on ${dayOf(older)}, or as on ${dayOf(newer)}?`, 200),
    body: `"${a}" of ${dayOf(older)} and "${b}" of ${dayOf(newer)} do not seem to go together${line === undefined ? '' : `: ${line}`}. The newer one, "${b}", is more likely right. A language model found it.`,
    evidence: [
      { key: a, sentence: sentenceAbout(older, older.words) },
      { key: b, sentence: sentenceAbout(newer, newer.words) },
    ],
    confidence: SURE,
    content: 'contradiction told otherwise',
  };
}
