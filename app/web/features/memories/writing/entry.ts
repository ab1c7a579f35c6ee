import type { MouseEvent } from 'react';

/** Where somebody began to write: a place in the text, and how far down on the screen it stood. */
export interface Entry {
  offset: number;
  top: number;
}

/** What does something by a click or is looked at, rather than written into. */
const ACTS = 'a, button, summary, input, select, textarea, [role="button"], form, img, svg, iframe';

/** Letters on each side that tell a place from others like it. */
const AROUND = 40;

/** Where in a text a click on it as it is read would write; undefined where the click means something else. */
export function entryOf(event: MouseEvent<HTMLElement>, value: string): Entry | undefined {
  const { target, currentTarget, button, clientX, clientY } = event;
  if (button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined;
  if (event.defaultPrevented || !(target instanceof Element) || target.closest(ACTS)) return undefined;
  const selection = getSelection();
  if (selection && !selection.isCollapsed) return undefined;
  const caret = document.caretPositionFromPoint(clientX, clientY);
  if (!caret || !(caret.offsetNode instanceof Text) || !currentTarget.contains(caret.offsetNode))
    return { offset: value.length, top: clientY };
  const range = document.createRange();
  range.selectNodeContents(currentTarget);
  range.setEnd(caret.offsetNode, caret.offset);
  const before = range.toString().length;
  const whole = currentTarget.textContent.length;
  const letter = document.createRange();
  letter.setStart(caret.offsetNode, Math.max(0, caret.offset - 1));
  letter.setEnd(caret.offsetNode, caret.offset);
  const { top, height } = letter.getBoundingClientRect();
  return {
    offset: placeIn(value, {
      text: caret.offsetNode.data,
      at: caret.offset,
      share: whole === 0 ? 0 : before / whole,
    }),
    top: height > 0 ? top : clientY,
  };
}

/**
 * The offset in a source of a place in a piece of its text: `at` in `text`, which stands at about this share of all that
 * is read. Of several places that say the same it is the one nearest to that.
 */
export function placeIn(
  source: string,
  { text, at, share }: { text: string; at: number; share: number },
): number {
  const near = share * source.length;
  const from = Math.max(0, at - AROUND);
  const sought = text.slice(from, at + AROUND);
  let best: number | undefined;
  for (
    let found = source.indexOf(sought);
    found >= 0 && sought !== '';
    found = source.indexOf(sought, found + 1)
  ) {
    const offset = found + at - from;
    if (best === undefined || Math.abs(offset - near) < Math.abs(best - near)) best = offset;
  }
  return best ?? Math.round(near);
}
