import { diffArrays } from 'diff';

/** Neighbouring parts that are in both texts, only in the old one, or only in the new one. */
export interface DiffRun {
  kind: 'same' | 'removed' | 'added';
  parts: string[];
}

/** Edits that are looked for before the middle is called replaced as a whole; bounds time and memory. */
const MOST_EDITS = 600;

/** The difference of two lists of parts (lines or words). */
export function diff(before: readonly string[], after: readonly string[]): DiffRun[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: MOST_EDITS });
  if (!changes) return replaced(before, after);
  return changes.map(({ added, removed, value }) => {
    if (added) return { kind: 'added', parts: value };
    return { kind: removed ? 'removed' : 'same', parts: value };
  });
}

/** One text in the place of the other, but for what both begin and end with. */
function replaced(before: readonly string[], after: readonly string[]): DiffRun[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const runs: DiffRun[] = [
    { kind: 'same', parts: before.slice(0, start) },
    { kind: 'removed', parts: before.slice(start, before.length - end) },
    { kind: 'added', parts: after.slice(start, after.length - end) },
    { kind: 'same', parts: before.slice(before.length - end) },
  ];
  return runs.filter(({ parts }) => parts.length > 0);
}

/**
 * The difference word by word, where the texts have at least a third in common; undefined where they differ so
 * much that a mixture of both would only be hard to read.
 */
export function diffWords(before: string, after: string): DiffRun[] | undefined {
  const runs = diff(wordsOf(before), wordsOf(after));
  const lengthOf = (some: readonly DiffRun[]) =>
    some.reduce((sum, { parts }) => sum + parts.join('').length, 0);
  const same = lengthOf(runs.filter(({ kind }) => kind === 'same'));
  return same * 3 >= Math.max(before.length, after.length) ? runs : undefined;
}

/** The lines of a text, each with its line feed, so that joining them gives the text again. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Words and what stands between them; joining gives the text again. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}
