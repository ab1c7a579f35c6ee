/** What was done to a text: at a place, so many characters went and these came. */
export interface TextChange {
  at: number;
  removed: number;
  inserted: string;
}

/**
 * The one change that makes one text of another, between what both begin and end with. Where the text is typed into, `caret` is where
 * the cursor stands behind the change: of two equal letters beside each other the right one is meant then.
 */
export function changeOf(before: string, after: string, caret = after.length): TextChange | undefined {
  if (before === after) return undefined;
  // Nothing behind the cursor was typed.
  const most = Math.min(before.length, after.length);
  const tailMost = Math.min(most, after.length - Math.min(caret, after.length));
  let tail = 0;
  while (tail < tailMost && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  let head = 0;
  while (head < most - tail && before[head] === after[head]) head += 1;
  // A text without a cursor may also end alike before it.
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  // A character of two halves goes and comes as a whole.
  if (head > 0 && isHigh(before, head - 1)) head -= 1;
  if (tail > 0 && isLow(before, before.length - tail)) tail -= 1;
  return {
    at: head,
    removed: before.length - head - tail,
    inserted: after.slice(head, after.length - tail),
  };
}

/** Where a cursor stands after somebody else changed the text. */
export function caretAfter(caret: number, { at, removed, inserted }: TextChange): number {
  if (caret <= at) return caret;
  if (caret <= at + removed) return at + inserted.length;
  return caret + inserted.length - removed;
}

function isHigh(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}
