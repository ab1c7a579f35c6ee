/** What a line of a diff is. */
export type DiffLine = 'added' | 'removed' | 'place' | 'same';

/** Whether a text is a change of files: a diff, a patch, or the lines that a call takes out and puts in. */
export function isDiff(text: string): boolean {
  if (/^(?:@@ |diff --git |\*\*\* Begin Patch)/m.test(text.slice(0, 20_000))) return true;
  const [, ...rest] = text.split('\n', 200);
  return rest.length > 0 && rest.every((line) => /^[-+]/.test(line));
}

/** What one line of a diff is, by how it begins. */
export function diffLine(line: string): DiffLine {
  if (/^(?:@@|diff --git |index [0-9a-f]|\*\*\* |\+\+\+ |--- )/.test(line)) return 'place';
  if (line.startsWith('+')) return 'added';
  return line.startsWith('-') ? 'removed' : 'same';
}
