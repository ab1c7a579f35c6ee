import { sheetsWithCompany } from './company-sheets.ts';
import type { KeptFinding } from './job-state.ts';
import type { Asking } from './model-asking.ts';
import { type FoundOnSheet, lengthBefore, sheetQuestion } from './model-prompts.ts';
import { affinitiesIn } from './nearby.ts';
import { type Affinities, affinitiesOf } from './strategies/affinity.ts';
import { readingOf } from './strategies/reading.ts';
import { SHORT } from './strategies/sheet-notes.ts';
import type { Proposal, SheetNote, SheetTask } from './strategies/strategy.ts';
import { sheetMarksOf } from './sheet-marks.ts';
import { sheetsOf } from './sheets.ts';

/** The newest memories that are read: of more, a budget does not reach far anyway. */
const MOST_NOTES = 4_000;
/** Characters that no question about a short sheet has. */
const NO_LONGER = 1.25 * SHORT.room;
/** Marks that are written in one transaction. */
const SLICE = 200;

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
  const wanted = byId((await task.notes(view)).slice(-MOST_NOTES));
  const notes = new Map([...byId((task.company?.(view) ?? []).slice(-MOST_NOTES)), ...wanted]);
  const memories = readingOf(view).memories.filter(({ memory }) => notes.has(memory.id));
  const { length: inAll } = task.turns;
  const stood = sheetMarksOf(
    memories.flatMap(({ memory }) => (wanted.has(memory.id) ? [memory] : [])),
    inAll,
    asking,
  );
  const lengthFor = (id: number): number => lengthOf(notes.get(id));
  const [turn] = task.turns;
  const waiting = [...wanted.keys()].filter((id) => !stood.isDone(id));
  const sheets =
    waiting.length === 0
      ? []
      : task.company && turn
        ? [
            ...sheetsWithCompany({
              view,
              wanted: waiting,
              may: (id) => notes.has(id),
              turn,
              lengthOf: lengthFor,
              missesOf: stood.missesOf,
            }),
          ]
        : [
            ...sheetsOf({
              affinities: amongPairs(
                memories.length === readingOf(view).memories.length
                  ? affinitiesIn(view)
                  : affinitiesOf(view, memories),
                task.pairs?.(view),
              ),
              turns: task.turns,
              lengthOf: lengthFor,
              turnsOf: stood.turnsOf,
              missesOf: stood.missesOf,
              isStopped: cancelled,
            }),
          ];
  const found: KeptFinding[] = [...before.found];
  /** Marks of sheets that brought nothing of use: a model that never answers anything of use says nothing about sheets. */
  let missed: string[] = [];
  const keepMissed = (): void => {
    if (missed.length > 0 && model.useful() > 0) {
      keep({ marks: missed });
      missed = [];
    }
  };
  let [read, asked] = [0, 0];
  /** By which memories count as read, also where they stood on a sheet before this one. */
  const marks = new Map<number, readonly string[]>();
  /** As long as this no sheet is asked about: a model or its server has no room for it. */
  let tooLong = Infinity;
  for (const ids of sheets) {
    const sheet = ids.flatMap((id) => notes.get(id) ?? []).sort((a, b) => a.time - b.time || a.id - b.id);
    const question = sheetQuestion(task, sheet, view.now);
    if (question.prompt.length >= tooLong) continue;
    if (!mayAsk(question)) break;
    progress(asked, sheets.length);
    asked += 1;
    const useless = model.useless();
    const answer = await model.ask(question);
    if (model.useless() > useless) {
      missed.push(...stood.missed(ids));
      if (question.prompt.length > NO_LONGER) tooLong = NO_LONGER;
    }
    keepMissed();
    if (!answer) continue;
    read += 1;
    for (const id of ids) {
      const own = stood.read([id]);
      if (own.length > 0) marks.set(id, own);
    }
    const told = answer.found.flatMap((one): KeptFinding[] => {
      const of = placesOf(one).flatMap((place) => sheet[place]?.id ?? []);
      if (of.length < (task.isOfDays ? 1 : 2)) return [];
      return [{ ids: of, what: one.what, date: one.date, marks: of.flatMap((id) => marks.get(id) ?? []) }];
    });
    found.push(...told);
    keep({ marks: ids.flatMap((id) => marks.get(id) ?? []), found: told });
  }
  // Nothing is left to be read with them: what stood on fewer sheets has nobody else to stand beside.
  if (read === sheets.length && !cancelled()) {
    const rest = stood.rest();
    for (let from = 0; from < rest.length; from += SLICE) keep({ marks: rest.slice(from, from + SLICE) });
  }
  return { proposals: await task.proposals(view, found), read, of: sheets.length };
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

/** The places of a sheet that were named, each once and in order. */
function placesOf({ notes }: FoundOnSheet): number[] {
  return [...new Set(notes.map((id) => Number(id.slice(1)) - 1))].sort((a, b) => a - b);
}

function lengthOf(note: SheetNote | undefined): number {
  return note ? lengthBefore(note) + note.text.length : 0;
}
