import type { Page } from 'playwright-core';

/** The sizes of the page, in pixels (docs/decisions/0037). A note has its own, which follow its text; code follows its line. */
const SCALE = [12, 13, 14, 16, 20, 28];
/** No text anywhere is smaller than this. */
const SMALLEST = 12;

export interface Found {
  /** What is wrong, with the words that it is about. */
  sizes: string[];
  controls: string[];
  reading: { size: number; line: number; characters: number }[];
}

/** Runs in the page: every text that is seen with its computed size, every control with its height, and the paragraphs of a note. */
const LOOK = `((scale, smallest, tall) => {
  const isSeen = (one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const found = { sizes: [], controls: [], reading: [] };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const one = text.parentElement;
    const words = text.data.trim();
    if (words === '' || !isSeen(one) || one.closest('.sr-only, script, style, option')) continue;
    const { width, height } = one.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    const size = parseFloat(getComputedStyle(one).fontSize);
    const hasOwn = one.closest('code, pre, kbd, [data-print], .cm-line') !== null;
    if (hasOwn ? size < smallest - 0.05 : !scale.some((step) => Math.abs(step - size) < 0.05))
      found.sizes.push(size.toFixed(1) + ' px: ' + words.slice(0, 40));
  }
  const controls = 'button, select, textarea, input:not([type=checkbox], [type=radio], [type=range]), [role=tab]';
  for (const one of document.querySelectorAll(controls)) {
    if (!isSeen(one) || one.closest('.sr-only')) continue;
    const { width, height } = one.getBoundingClientRect();
    // What stands inside a line or another control is pressed there.
    if (width <= 1 || getComputedStyle(one).display === 'inline') continue;
    // A finger may have a larger area than what is drawn: a box of its own before it.
    const { content, position, height: area } = getComputedStyle(one, '::before');
    const pressed = content !== 'none' && position === 'absolute' ? Math.max(height, parseFloat(area)) : height;
    if (pressed < tall - 0.5) found.controls.push(height.toFixed(0) + ' px: ' + (one.getAttribute('aria-label') ?? one.innerText ?? one.name).slice(0, 40));
  }
  for (const one of document.querySelectorAll('[data-print] p')) {
    const style = getComputedStyle(one);
    const size = parseFloat(style.fontSize);
    const probe = document.createElement('span');
    probe.textContent = '0';
    one.append(probe);
    const characters = one.getBoundingClientRect().width / probe.getBoundingClientRect().width;
    probe.remove();
    found.reading.push({ size, line: parseFloat(style.lineHeight), characters });
  }
  return found;
})`;

/** Looks at a page as it stands: sizes that are not on the scale, controls lower than `tall`, and how a note is set. */
export function lookAt(page: Page, tall: number): Promise<Found> {
  return page.evaluate<Found>(`${LOOK}(${JSON.stringify(SCALE)}, ${SMALLEST}, ${tall})`);
}
