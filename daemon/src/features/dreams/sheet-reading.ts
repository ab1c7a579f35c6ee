import type { KeptFinding } from './job-state.ts';
import type { Asking } from './model-asking.ts';
import { sheetQuestion } from './model-prompts.ts';
import { affinitiesOf } from './strategies/affinity.ts';
import { readingOf } from './strategies/reading.ts';
import type { Proposal, SheetNote, SheetTask } from './strategies/strategy.ts';
import { sheetMarksOf } from './sheet-marks.ts';
import { sheetsOf } from './sheets.ts';

/** The newest memories that are read: of more, a budget does not reach far anyway. */
const MOST_NOTES = 4_000;
/** Marks that are written in one transaction. */
const SLICE = 200;
/** Characters of a line beside key and text. */
const FRAME = 30;

export interface SheetsRead {
  readonly proposals: readonly Proposal[];
  readonly read: number;
  readonly of: number;
}

/**
 * Has a model read a namespace in sheets of memories that may have to do with each other, and find what a strategy is after. What it names is
 * proposed only where it names memories of the sheet; those that were read are not read again while they are as they are. Each answer is kept
 * before the next question.
 */
export async function readSheets(task: SheetTask, asking: Asking): Promise<SheetsRead> {
  const { view, model, before, keep, mayAsk, cancelled, progress } = asking;
  const notes = new Map(
    task
      .notes(view)
      .slice(-MOST_NOTES)
      .map((note) => [note.id, note]),
  );
  const memories = readingOf(view).memories.filter(({ memory }) => notes.has(memory.id));
  const stood = sheetMarksOf(
    memories.map(({ memory }) => memory),
    asking,
  );
  const sheets = [...notes.keys()].every(stood.isDone)
    ? []
    : [
        ...sheetsOf({
          affinities: affinitiesOf(view, memories),
          most: task.most,
          lengthOf: (id) => lengthOf(notes.get(id)),
          turnsOf: stood.turnsOf,
          missesOf: stood.missesOf,
          isStopped: cancelled,
        }),
      ];
  const found: KeptFinding[] = [...before.found];
  /** Marks of sheets that brought nothing of use: a model that never answers anything of use says nothing about sheets. */
  let missed: string[] = [];
  const keepMissed = (): void => {
    if (missed.length > 0) keep({ marks: missed });
    missed = [];
  };
  let [read, asked] = [0, 0];
  for (const ids of sheets) {
    const sheet = ids.flatMap((id) => notes.get(id) ?? []).sort((a, b) => a.time - b.time || a.id - b.id);
    const question = sheetQuestion(task, sheet);
    if (!mayAsk(question)) break;
    progress(asked, sheets.length);
    asked += 1;
    const useless = model.useless();
    const answer = await model.ask(question);
    if (model.useless() > useless) missed.push(...stood.missed(ids));
    if (model.useful() > 0) keepMissed();
    if (!answer) continue;
    read += 1;
    const marks = new Map(ids.map((id) => [id, stood.read([id])]));
    const told: KeptFinding[] = [];
    for (const { what, notes: named } of answer.found) {
      const places = new Set(named.map((id) => Number(id.slice(1)) - 1));
      const of = [...places].sort((a, b) => a - b).flatMap((place) => sheet[place]?.id ?? []);
      if (of.length > 1) told.push({ ids: of, what, marks: of.flatMap((id) => marks.get(id) ?? []) });
    }
    found.push(...told);
    keep({ marks: [...marks.values()].flat(), found: told });
  }
  if (model.silence() === undefined) keepMissed();
  // Nothing is left to be read with them: what stood on fewer sheets has nobody else to stand beside.
  if (read === sheets.length && !cancelled()) {
    const rest = stood.rest();
    for (let from = 0; from < rest.length; from += SLICE) keep({ marks: rest.slice(from, from + SLICE) });
  }
  return { proposals: task.proposals(view, found), read, of: sheets.length };
}

function lengthOf(note: SheetNote | undefined): number {
  return note ? note.text.length + Math.min(60, note.key.length) + FRAME : 0;
}
