import type { Page } from 'playwright-core';

/** What a browser did in a stretch of time; all times in milliseconds. */
export interface Strain {
  /** Tasks that kept the main thread for longer than 50 ms, as the browser counts them. */
  longTasks: number;
  longestTask: number;
  /** From a key to the next paint, for the keys that took longer than 16 ms. */
  slowestKey: number;
  frames: number;
  /** Frames in which a place of the list's window had no row at all, though the list goes on there. */
  blankFrames: number;
  /** Frames in which a row was drawn whose memory was still on its way. */
  waitingFrames: number;
  /** The longest time between two frames. */
  longestFrame: number;
}

/**
 * Runs in the page: watches long tasks, keys and, frame by frame, ten places of the list's window. `window.probe.take()` answers what
 * was seen since the last time.
 */
export const PROBE = `(() => {
  const fresh = () => ({ longTasks: 0, longestTask: 0, slowestKey: 0, frames: 0, blankFrames: 0, waitingFrames: 0, longestFrame: 0 });
  let seen = fresh();
  let last;
  let firstRows;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      seen.longTasks += 1;
      seen.longestTask = Math.max(seen.longestTask, duration);
    }
  }).observe({ type: 'longtask' });
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries())
      if (name.startsWith('key')) seen.slowestKey = Math.max(seen.slowestKey, duration);
  }).observe({ type: 'event', durationThreshold: 16 });
  const look = (now) => {
    const list = document.querySelector('[role=listbox]:has(> [role=presentation])');
    if (last !== undefined) seen.longestFrame = Math.max(seen.longestFrame, now - last);
    last = now;
    seen.frames += 1;
    if (list) {
      const { left, top, width, height } = list.getBoundingClientRect();
      let isBlank = false;
      let isWaiting = false;
      let isThere = false;
      for (let at = 0; at < 10; at += 1) {
        const slot = document
          .elementsFromPoint(left + width / 2, top + ((at + 0.5) * height) / 10)
          .find((one) => one.matches('[role=presentation] > [role=presentation]'));
        const option = slot?.querySelector('[role=option]');
        if (!option) isBlank = true;
        else if (option.getAttribute('aria-busy') === 'true') isWaiting = true;
        else isThere = true;
      }
      if (isBlank) seen.blankFrames += 1;
      else if (isWaiting) seen.waitingFrames += 1;
      if (isThere && firstRows === undefined) firstRows = now;
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  window.probe = {
    take: () => {
      const taken = seen;
      seen = fresh();
      last = undefined;
      return taken;
    },
    firstRows: () => {
      const answer = performance.getEntriesByType('resource').find(({ name }) => name.endsWith('/v1/memory-list'));
      return answer && firstRows !== undefined ? { answered: answer.responseEnd, drawn: firstRows } : undefined;
    },
  };
})()`;

/** What was seen since the last time this was asked. */
export function takeStrain(page: Page): Promise<Strain> {
  return page.evaluate<Strain>('window.probe.take()');
}

/** When the daemon's first page of the list was there, and when the first rows were drawn; milliseconds since the page began. */
export async function firstRows(page: Page): Promise<{ answered: number; drawn: number }> {
  // Asked again and again from here: the page's policy allows no text to be run inside of it.
  for (;;) {
    const told = await page.evaluate<{ answered: number; drawn: number } | undefined>(
      'window.probe.firstRows()',
    );
    if (told) return told;
    await page.waitForTimeout(20);
  }
}
