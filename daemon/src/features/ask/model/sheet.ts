import type { TextSpan } from '../../../language/passage-at.ts';
import { tokensAtMost } from '../../../models/language-model.ts';
import type { QuotedNote } from '../../../language/borne-out/borne-out.ts';
import type { Candidate } from '../look.ts';
import { partAround } from '../parts.ts';
import { dayOf, labelOf, saidAt } from '../notes.ts';
import type { AskMemory } from '../ports.ts';

/** A note as a model is shown it: its date, its key and what its metadata say, then its text. */
export interface SheetNote extends QuotedNote {
  readonly from: Candidate;
  /** Part of the text was left out. */
  readonly isCut: boolean;
}

/** A note that is no longer than this is shown whole; of a longer one, so much around what fits best. */
const SHOWN = 900;

/** The notes that a model is shown, as many as so many tokens have place for: the first are the likeliest, they are shown oldest first. */
export function sheetOf(
  candidates: readonly Candidate[],
  { tokens, shown = SHOWN }: { tokens: number; shown?: number },
): SheetNote[] {
  const mark = markFor(candidates);
  const notes: SheetNote[] = [];
  let left = tokens;
  for (const from of candidates) {
    const { memory, read } = from;
    const part = partOf(memory.value, { around: read?.passage, most: shown, mark });
    const note = { from, ...part, about: aboutOf(memory), time: saidAt(memory) };
    const cost = tokensAtMost(lineOf(note, notes.length));
    // A shorter one may still have place.
    if (cost > left) continue;
    left -= cost;
    notes.push(note);
  }
  // What took the place of something else stands behind it; the same for the same notes, whatever their rank.
  return notes.sort(
    (a, b) =>
      a.time - b.time ||
      (a.from.memory.key < b.from.memory.key ? -1 : 1) ||
      a.from.memory.id - b.from.memory.id,
  );
}

/** A note on lines of its own: those after the first are indented, so that no text can pass for another note or for the question. */
export function lineOf({ text, about }: Pick<SheetNote, 'text' | 'about'>, at: number): string {
  return `[${at + 1}] ${about}: ${text.trim().replaceAll(LINE_ENDS, '\n    ')}`;
}

/** What any reader may take for the end of a line, with the blanks before it. */
const LINE_ENDS = /(?<!\s)\s*[\n\v\f\r\u001c-\u001e\u0085\u2028\u2029]+/gu;

/** When it was said, and what it is called. */
function aboutOf(memory: AskMemory): string {
  const label = labelOf(memory)
    .split('\n')
    .map((part) => oneLine(part).trim())
    .filter((part) => part !== '');
  return [dayOf(new Date(saidAt(memory)).toISOString()), ...label].join(', ');
}

/** A text on one line; some ends of lines are no white space to JavaScript. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\s\u001c-\u001e\u0085]+/gu, ' ');
}

/** What stands where something was left out: no note contains it, so that none can say that it was cut. */
function markFor(candidates: readonly Candidate[]): string {
  let mark = '[cut]';
  while (candidates.some(({ memory }) => memory.value.includes(mark))) mark = `[${mark}]`;
  return mark;
}

/** A note's text, or a part of it that is cut at blocks: with the headings that it stands below, and a row with the head of its table. */
function partOf(
  value: string,
  { around, most, mark }: { around: TextSpan | undefined; most: number; mark: string },
): { text: string; isCut: boolean } {
  if (value.length <= most) return { text: value, isCut: false };
  const { start, end, path, lead } = partAround(value, around?.start ?? 0, { most });
  const text = value.slice(start, end).trim();
  const above = [path.join(' › '), lead() ?? ''].filter((line) => line !== '' && !text.includes(line));
  const marks = { before: start > 0 ? [mark] : [], behind: end < value.length ? [mark] : [] };
  return { text: [...above, ...marks.before, text, ...marks.behind].join('\n'), isCut: true };
}
