import type { KeptFinding } from '../jobs/job-state.ts';
import type { StrategyAsking } from './asking.ts';
import { type FoundOnSheet, sheetQuestion } from './prompts.ts';
import { type SheetProgress, sheetProgressOf, type SheetsPlanned } from './sheet-plan.ts';
import { SHORT } from './sheet-notes.ts';
import { standingWords } from './standing-words.ts';
import type { Proposal, SheetFinding, SheetNote } from '../strategies/strategy.ts';

/** Characters that no question about a short sheet has. */
const NO_LONGER = 1.25 * SHORT.room;
/** Marks that are written in one transaction. */
const SLICE = 200;
/** Tokens that a second look at a finding may take, and the question itself. */
const SECOND_LOOK = { each: 650, question: 700 } as const;

export interface SheetsRead {
  readonly proposals: readonly Proposal[];
  readonly read: number;
  readonly of: number;
  readonly reading: SheetProgress;
  /** How many findings quoted too few of their notes word for word, and are left out. */
  readonly misquoted: number;
}

/**
 * Has a model read a namespace in sheets of memories that may belong together, and find what a strategy is after; a finding counts only
 * where it quotes memories of its sheet word for word. Each answer is kept before the next question, a memory is not read again until it
 * changes, and what a second look at the findings will cost is left in the budget.
 */
export async function readSheets(planned: SheetsPlanned, asking: StrategyAsking): Promise<SheetsRead> {
  const { task, notes, sheets, stood } = planned;
  const { view, model, before, keep, mayAsk, cancelled, progress } = asking;
  const found: KeptFinding[] = [...before.found];
  const secondLooks = () =>
    task.isDoubted ? SECOND_LOOK.question + SECOND_LOOK.each * (found.length + 1) : 0;
  /** Marks of sheets that brought nothing of use: a model that never answers anything of use says nothing about sheets. */
  let missed: string[] = [];
  const keepMissed = (): void => {
    if (missed.length > 0 && model.useful() > 0) {
      keep({ marks: missed });
      missed = [];
    }
  };
  const unread = new Set(sheets);
  let [asked, misquoted] = [0, 0];
  /** By which memories count as read, also where they stood on a sheet before this one. */
  const marks = new Map<number, readonly string[]>();
  /** As long as this no sheet is asked about: a model or its server has no room for it. */
  let tooLong = Infinity;
  for (const ids of sheets) {
    const sheet = ids.flatMap((id) => notes.get(id) ?? []).sort((a, b) => a.time - b.time || a.id - b.id);
    const question = sheetQuestion(task, sheet, view.now);
    if (question.prompt.length >= tooLong) continue;
    if (!mayAsk(question, { spare: secondLooks(), isFirst: asked === 0 })) break;
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
    unread.delete(ids);
    for (const id of ids) {
      const own = stood.read([id]);
      if (own.length > 0) marks.set(id, own);
    }
    const told = answer.found.flatMap((one): KeptFinding[] => {
      const quotes = quotedOn(sheet, one);
      if (quotes.length < (task.isOfDays ? 1 : 2)) {
        misquoted += 1;
        return [];
      }
      const { what, date } = one;
      return [{ quotes, what, date, marks: quotes.flatMap(({ id }) => marks.get(id) ?? []) }];
    });
    found.push(...told);
    keep({ marks: ids.flatMap((id) => marks.get(id) ?? []), found: told });
  }
  // Nothing is left to be read with them: what stood on fewer sheets has nobody else to stand beside.
  if (unread.size === 0 && !cancelled()) {
    const rest = stood.rest();
    for (let from = 0; from < rest.length; from += SLICE) keep({ marks: rest.slice(from, from + SLICE) });
  }
  return {
    proposals: await task.proposals(view, found),
    read: sheets.length - unread.size,
    of: sheets.length,
    reading: sheetProgressOf(planned, [...unread]),
    misquoted,
  };
}

/** The words that stand in the notes that they are said to be of, of each note once and in the order of the sheet. */
function quotedOn(sheet: readonly SheetNote[], { quotes }: FoundOnSheet): SheetFinding['quotes'] {
  const notes = sheet.map(({ text }, at) => ({ id: `n${at + 1}`, text }));
  return standingWords(notes, quotes).flatMap((words, at) => {
    const id = sheet[at]?.id;
    return words === undefined || id === undefined ? [] : [{ id, words }];
  });
}
