import { obsidianMarks } from '@reverie/shared/contract/obsidian-marks';

/**
 * Cuts a long source at blank lines outside of code and of Obsidian's comments, into segments of about `size` characters that can be read by
 * themselves. Joining them gives the source again.
 */
export function segmentsOf(source: string, size: number): string[] {
  const segments: string[] = [];
  let from = 0;
  let at = 0;
  let blank = 0;
  let fence = '';
  let isComment = false;
  while (at < source.length) {
    const end = source.indexOf('\n', at);
    const next = end === -1 ? source.length : end + 1;
    const line = source.slice(at, Math.min(next, at + 80));
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    if (fence === '') isComment = isCommentOpen(source.slice(at, next), isComment);
    at = next;
    if (fence === '' && !isComment && line.trim() === '' && next - end <= 1) blank = at;
    if (at - from < size) continue;
    const cut = blank > from ? blank : at;
    // Where no blank line comes for as long again, it is cut at the end of a line.
    if (cut === at && blank !== at && at - from < 2 * size) continue;
    segments.push(source.slice(from, cut));
    from = cut;
    if (cut === at) [fence, isComment] = ['', false];
  }
  if (from < source.length) segments.push(source.slice(from));
  return segments;
}

/** Whether a comment that goes on over blocks is open behind a line, by whether one is before it: whether one more mark would end it. */
function isCommentOpen(line: string, isOpen: boolean): boolean {
  if (!line.includes('%%')) return isOpen;
  const text = `${isOpen ? '%%\n\n' : ''}${line}\n\n%%`;
  return obsidianMarks(text).comments.at(-1)?.to === text.length;
}
