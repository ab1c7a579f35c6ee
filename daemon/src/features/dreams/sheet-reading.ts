import type { Asking } from './model-asking.ts';
import { readMark } from './model-marks.ts';
import { sheetQuestion } from './model-prompts.ts';
import { affinitiesOf } from './strategies/affinity.ts';
import { readingOf } from './strategies/reading.ts';
import type { Proposal, SheetFinding, SheetNote, SheetTask } from './strategies/strategy.ts';
import { sheetsOf, TURNS } from './sheets.ts';

/** The newest memories that are read: of more, a budget does not reach far anyway. */
const MOST_NOTES = 4_000;
/** Characters of a line beside key and text. */
const FRAME = 30;

export interface SheetsRead {
  readonly proposals: readonly Proposal[];
  readonly marks: readonly string[];
  readonly read: number;
  readonly of: number;
}

/**
 * Has a model read a namespace in sheets of memories that may have to do with each other, and find what a strategy is after. What it names is
 * proposed only where it names memories of the sheet; those that were read are not read again while they are as they are.
 */
export async function readSheets(task: SheetTask, asking: Asking): Promise<SheetsRead> {
  const { strategy, view, model, known, mayAsk, cancelled, progress } = asking;
  const notes = new Map(
    task
      .notes(view)
      .slice(-MOST_NOTES)
      .map((note) => [note.id, note]),
  );
  const reading = readingOf(view);
  const memories = reading.memories.filter(({ memory }) => notes.has(memory.id));
  const byId = new Map(memories.map(({ memory }) => [memory.id, memory]));
  const markOf = (id: number, turn: number): string[] => {
    const memory = byId.get(id);
    return memory ? [readMark(model.name, strategy, { memory, turn })] : [];
  };
  const turnsOf = (id: number): number => {
    let turn = 0;
    while (turn < TURNS && markOf(id, turn + 1).every(known)) turn += 1;
    return turn;
  };
  const turns = new Map([...notes.keys()].map((id) => [id, turnsOf(id)]));
  const isAllRead = [...turns.values()].every((turn) => turn >= TURNS);
  const sheets = isAllRead
    ? []
    : [
        ...sheetsOf({
          affinities: affinitiesOf(view, memories),
          most: task.most,
          lengthOf: (id) => lengthOf(notes.get(id)),
          turnsOf: (id) => turns.get(id) ?? 0,
          isStopped: cancelled,
        }),
      ];
  const found: SheetFinding[] = [];
  const marks: string[] = [];
  let [read, asked] = [0, 0];
  for (const ids of sheets) {
    const sheet = ids.flatMap((id) => notes.get(id) ?? []).sort((a, b) => a.time - b.time || a.id - b.id);
    const question = sheetQuestion(task, sheet);
    if (!mayAsk(question)) break;
    progress(asked, sheets.length);
    asked += 1;
    const answer = await model.ask(question);
    if (!answer) continue;
    read += 1;
    for (const { what, notes: named } of answer.found) {
      const places = new Set(named.map((id) => Number(id.slice(1)) - 1));
      const of = [...places].sort((a, b) => a - b).flatMap((place) => sheet[place]?.id ?? []);
      if (of.length > 1) found.push({ ids: of, what });
    }
    for (const id of ids) {
      const turn = (turns.get(id) ?? 0) + 1;
      turns.set(id, turn);
      if (turn <= TURNS) marks.push(...markOf(id, turn));
    }
  }
  // Nothing is left to be read with them: what stood on fewer sheets has nobody else to stand beside.
  if (read === sheets.length && !cancelled())
    for (const [id, turn] of turns)
      for (let next = turn + 1; next <= TURNS; next++) marks.push(...markOf(id, next));
  return { proposals: task.proposals(view, found), marks, read, of: sheets.length };
}

function lengthOf(note: SheetNote | undefined): number {
  return note ? note.text.length + Math.min(60, note.key.length) + FRAME : 0;
}
