import katex from 'katex';
import sheet from 'katex/dist/katex.min.css?url';

/** What `\\def` and the like may make of a formula, in steps, and how large `\\rule` may draw, in em. */
const BOUNDS = { maxExpand: 500, maxSize: 20 } as const;

let isStyled = false;

/** Sets a formula into an element, by its DOM alone, as the policy of the page wants it; answers false where it is none. */
export function setFormula(place: HTMLElement, text: string, isBlock: boolean): boolean {
  style();
  try {
    katex.render(text, place, {
      ...BOUNDS,
      displayMode: isBlock,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
    });
    return true;
  } catch {
    // What is no formula is shown as it is written.
    place.replaceChildren();
    return false;
  }
}

/** Its styles and fonts come with the first formula. */
function style(): void {
  if (isStyled) return;
  isStyled = true;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = sheet;
  document.head.append(link);
}
