import { byAge, mergeNear } from './merging.ts';
import { type ReadMemory, readNamespace } from '../notes/reading.ts';
import { LONG, sheetNote } from '../reader/sheet-notes.ts';
import type { DreamView, Proposal, SheetFinding, SheetTask } from '../strategies/strategy.ts';

/** Characters of a memory on a sheet; a longer one would be merged by what the model did not see of it. */
const SHOWN = 500;
/** How alike what a model takes for the same is said to be. */
const ALIKE = 0.5;
/** Two that say the same in other words are nearly always each other's nearest, or among the first four on one side. */
const NEAR = 0.14;

/** Has a model find two memories of a sheet that say the same in other words. */
export const refineSheets = {
  find: `You read dated notes of one person, oldest first. Find pairs of notes that say the very same of the very same thing, in other words, so that one of the two could be put away and nothing that matters would be lost.
None: two things of one kind (another service, child, room, firm); two events or readings of different days; where one says something that matters and the other does not; where a figure, a name, a day or a no differs; notes that only share a topic.
For each pair say in "what" what both say, in a few words of the notes; quote the two notes.`,
  turns: [{ ...LONG, near: NEAR }],
  pairs(view: DreamView) {
    const figures = new Map(readNamespace(view).memories.map((one) => [one.memory.id, figuresOf(one)]));
    return (a, b) => isOneWithin(figures.get(a), figures.get(b));
  },
  notes: (view: DreamView) =>
    readNamespace(view)
      .memories.filter(({ memory: { value, isCut } }) => !isCut && value.length <= SHOWN)
      .map((one) => sheetNote(one, SHOWN)),
  proposals(view: DreamView, found: readonly SheetFinding[]): Proposal[] {
    const { byId } = readNamespace(view);
    const taken = new Set<number>();
    return found.flatMap(({ quotes }) => {
      const ids = quotes.map(({ id }) => id);
      const [one, other, ...more] = ids.flatMap((id) => byId.get(id) ?? []);
      // One of three that say the same has its proposal; the next dream sees the third.
      if (!one || !other || more.length > 0 || ids.some((id) => taken.has(id))) return [];
      const merge = merged(byAge([one, other]));
      if (merge) for (const id of ids) taken.add(id);
      return merge ?? [];
    });
  },
} satisfies SheetTask;

/** Undefined where each has a figure that the other has not: then a model is mistaken, whatever it says. */
function merged(pair: readonly [ReadMemory, ReadMemory]): Proposal | undefined {
  const [older, newer] = [figuresOf(pair[0]), figuresOf(pair[1])];
  if (newer.isSubsetOf(older)) return mergeNear(pair, ALIKE, newer.size < older.size ? false : undefined);
  return older.isSubsetOf(newer) ? mergeNear(pair, ALIKE, true) : undefined;
}

function figuresOf({ memory }: ReadMemory): ReadonlySet<string> {
  return new Set(memory.value.match(/\d+/gu));
}

function isOneWithin(a: ReadonlySet<string> = new Set(), b: ReadonlySet<string> = new Set()): boolean {
  return a.isSubsetOf(b) || b.isSubsetOf(a);
}
