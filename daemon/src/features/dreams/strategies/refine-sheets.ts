import { byAge, mergeNear } from './merging.ts';
import { type ReadMemory, readingOf } from './reading.ts';
import { sheetNote, TWICE } from './sheet-notes.ts';
import type { DreamView, Proposal, SheetFinding, SheetTask } from './strategy.ts';

/** Characters of a memory on a sheet; a longer one would be merged by what the model did not see of it. */
const SHOWN = 500;
/** How alike what a model takes for the same is said to be. */
const ALIKE = 0.5;

/** Has a model find two memories of a sheet that say the same in other words. */
export const refineSheets = {
  find: `You read dated notes of one person, oldest first. Find pairs of notes that say the very same of the very same thing, in other words, so that one of the two could be put away and nothing that matters would be lost.
None: two things of one kind (another service, child, room, firm); two events or readings of different days; where one says something that matters and the other does not; where a figure, a name, a day or a no differs; notes that only share a topic.
For each pair say in "what" what both say, in a few words of the notes; name the two notes.`,
  turns: TWICE,
  notes: (view: DreamView) =>
    readingOf(view)
      .memories.filter(({ memory: { value, isCut } }) => !isCut && value.length <= SHOWN)
      .map((one) => sheetNote(one, SHOWN)),
  proposals(view: DreamView, found: readonly SheetFinding[]): Proposal[] {
    const { byId } = readingOf(view);
    const taken = new Set<number>();
    return found.flatMap(({ ids }) => {
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
  const [older, newer] = pair.map(({ memory }) => new Set(memory.value.match(/\d+/gu)));
  if (!older || !newer) return undefined;
  if (newer.isSubsetOf(older)) return mergeNear(pair, ALIKE, newer.size < older.size ? false : undefined);
  return older.isSubsetOf(newer) ? mergeNear(pair, ALIKE, true) : undefined;
}
