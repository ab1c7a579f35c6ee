import { mostRead, type StrategyProgress } from '@reverie/shared/contract/dreams';
import { sheetsWithCompany } from './sheets-with-later.ts';
import type { StrategyAsking } from './asking.ts';
import { lengthBefore } from './prompts.ts';
import { affinitiesIn } from './nearby.ts';
import { type SheetMarks, sheetMarksOf } from './sheet-marks.ts';
import { sheetsOf } from './sheets.ts';
import { type Affinities, affinitiesOf } from './affinity.ts';
import { readNamespace } from '../notes/reading.ts';
import type { SheetNote, SheetTask } from '../strategies/strategy.ts';

/** Characters of a token, and tokens of an answer, on the average. */
const OF_TOKEN = 4;
const ANSWER = 150;

/** The sheets that a model still has to read for a strategy, and the counts of those that it has read. */
export interface SheetsPlanned {
  readonly task: SheetTask;
  readonly notes: ReadonlyMap<number, SheetNote>;
  /** By the ids of their memories, the most promising first. */
  readonly sheets: readonly (readonly number[])[];
  readonly stood: SheetMarks;
  /** Memories that are to be read. */
  readonly wanted: readonly number[];
}

/** How far the reading of a namespace is: each memory counts once for each sheet on which it is to stand. */
export type SheetProgress = NonNullable<StrategyProgress['reading']>;

/** Plans sheets for the memories that were not read yet, or have changed since. */
export async function planSheets(task: SheetTask, asking: StrategyAsking): Promise<SheetsPlanned> {
  const { view, cancelled } = asking;
  const byWanted = byId((await task.notes(view)).slice(-mostRead));
  const notes = new Map([...byId((task.company?.(view) ?? []).slice(-mostRead)), ...byWanted]);
  const memories = readNamespace(view).memories.filter(({ memory }) => notes.has(memory.id));
  const stood = sheetMarksOf(
    memories.flatMap(({ memory }) => (byWanted.has(memory.id) ? [memory] : [])),
    { inAll: task.turns.length, anewOf: (id) => byWanted.get(id)?.anew ?? 0 },
    asking,
  );
  const lengthOf = (id: number): number => lengthOfNote(notes.get(id));
  const wanted = [...byWanted.keys()];
  const waiting = wanted.filter((id) => !stood.isDone(id));
  const [turn] = task.turns;
  const plan = { lengthOf, missesOf: stood.missesOf };
  const planned = (): Iterable<readonly number[]> => {
    if (waiting.length === 0) return [];
    if (task.company && turn)
      return sheetsWithCompany({ view, wanted: waiting, may: (id) => notes.has(id), turn, ...plan });
    const areAll = memories.length === readNamespace(view).memories.length;
    const affinities = areAll ? affinitiesIn(view) : affinitiesOf(view, memories);
    return sheetsOf({
      affinities: amongPairs(affinities, task.pairs?.(view)),
      turns: task.turns,
      turnsOf: stood.turnsOf,
      isStopped: cancelled,
      ...plan,
    });
  };
  return { task, notes, sheets: [...planned()], stood, wanted };
}

/** How far the reading of a namespace is when the sheets in `left` are still to be read. */
export function sheetProgressOf(
  { task, notes, stood, wanted }: SheetsPlanned,
  left: readonly (readonly number[])[],
): SheetProgress {
  const { length: inAll } = task.turns;
  const letters = left.reduce(
    (sum, ids) => ids.reduce((of, id) => of + lengthOfNote(notes.get(id)), sum + task.find.length),
    0,
  );
  return {
    read: wanted.reduce(
      (sum, id) => sum + (left.length === 0 || stood.isDone(id) ? inAll : stood.turnsOf(id)),
      0,
    ),
    of: wanted.length * inAll,
    tokens_left: Math.ceil(letters / OF_TOKEN) + left.length * ANSWER,
  };
}

/** Without pairs that are no finding, whatever a model says of them. */
function amongPairs(affinities: Affinities, may?: (a: number, b: number) => boolean): Affinities {
  if (!may) return affinities;
  return new Map(
    [...affinities].map(([id, partners]) => [id, new Map([...partners].filter(([other]) => may(id, other)))]),
  );
}

function byId(notes: readonly SheetNote[]): Map<number, SheetNote> {
  return new Map(notes.map((note) => [note.id, note]));
}

function lengthOfNote(note: SheetNote | undefined): number {
  return note ? lengthBefore(note) + note.text.length : 0;
}
