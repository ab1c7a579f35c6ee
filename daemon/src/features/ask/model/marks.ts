const MARK = String.raw`(?:\[(?:notes?\s*)?\d+(?:\s*[,;–-]\s*\d+)*\]|【\d+[^】\s]{0,20}】)`;
// From the first blank of several only: else a long run of blanks would be read again from each of them.
const MARKS = new RegExp(`(?<!\\s)\\s*${MARK}`, 'giu');

/** A sentence without the citation marks that a model added by itself; `items[0]` stays where a note writes it so. */
export function withoutMarks(text: string, notes: readonly string[] = []): string {
  return text
    .replace(MARKS, (mark, at: number) => {
      const before = /\S*$/u.exec(text.slice(Math.max(0, at - 40), at))?.[0] ?? '';
      const isOfNote = /^\[/u.test(mark) && /[\p{L}\p{N}_\])]$/u.test(before);
      return isOfNote && notes.some((note) => note.includes(before + mark)) ? mark : '';
    })
    .trim()
    .replace(/(?<!\s)\s+(?=[.!?,;:]$)/u, '');
}
