import { createStore } from './store.ts';

/** Whether the first view stands there, and what it does not need may be fetched. */
export const isSettled = createStore(false);

/** How long after the page has loaded the first view is left alone, ms. */
const LEFT_ALONE_MS = 1_000;
/** How long a browser that is never idle is waited for, ms. */
const NEVER_IDLE_MS = 5_000;

/** Resolves when the browser has nothing else to do; Safari cannot say when. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: NEVER_IDLE_MS });
    else setTimeout(resolve, 50);
  });
}

/** Waits until the first view stands there, then fetches parts of the page that are loaded late, one after the other while the browser is idle. */
export async function prefetch(parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  await settled();
  for (const part of parts) {
    await idle();
    // One that fails now is asked for again, and reported, when it is needed.
    await part().catch(() => undefined);
  }
}

function settled(): Promise<void> {
  return new Promise((resolve) => {
    if (isSettled.get()) return resolve();
    const stop = isSettled.subscribe(() => {
      stop();
      resolve();
    });
  });
}

/** Notes when the first view stands there. */
export function watchSettling(page: Window): void {
  page.addEventListener('load', () => {
    setTimeout(() => void idle().then(() => isSettled.set(true)), LEFT_ALONE_MS);
  });
}
