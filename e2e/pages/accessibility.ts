import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Runs in the page: one line for each rule that is broken. What is fine is not reported, which would take most of the time. */
const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(
  ({ id, help, nodes }) => id + ': ' + help + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`;

/** Runs in the page: resolves when what changes its looks for a moment has done so, such as a button whose scheme is another. */
const AT_REST = `Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished)).then(() => undefined)`;

/** Returns what axe finds wrong with a page, or with one frame of it, as it stands: one line for each rule. */
export async function axeFindings(page: Page | Frame): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE);
  // In between, one of two colours is that of before.
  await page.evaluate(AT_REST);
  const found = await page.evaluate<string[]>(RUN);
  if (found.length === 0) return found;
  // What began to change its looks only then is looked at once more.
  await page.evaluate(AT_REST);
  return page.evaluate<string[]>(RUN);
}
