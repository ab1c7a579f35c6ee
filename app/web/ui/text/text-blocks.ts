/** Characters of a value that are shown before somebody asks for all of it. */
export const SHOWN_AT_ONCE = 100_000;
const BLOCK = 8_000;
const ENDLESS = 20_000;

/**
 * Cuts a text at line ends into blocks of at least `size` characters, so that the browser can lay out the
 * visible ones only. A line that is longer than four blocks is cut itself; joining gives the text again.
 */
export function blocksOf(text: string, size = BLOCK): string[] {
  const blocks: string[] = [];
  let from = 0;
  while (from < text.length) {
    const lineEnd = text.indexOf('\n', from + size);
    let to = lineEnd === -1 ? text.length : lineEnd + 1;
    if (to - from > size * 4) to = wholeCharacter(text, from + size * 4);
    blocks.push(text.slice(from, to));
    from = to;
  }
  return blocks;
}

/** The first characters of a text, never half of a surrogate pair. */
export function headOf(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, wholeCharacter(text, length));
}

/** Whether a line is so long that wrapping it in a text field would hold up every key press. */
export function hasEndlessLine(text: string): boolean {
  let from = 0;
  while (text.length - from >= ENDLESS) {
    const end = text.indexOf('\n', from);
    if (end === -1 || end - from >= ENDLESS) return true;
    from = end + 1;
  }
  return false;
}

function wholeCharacter(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
