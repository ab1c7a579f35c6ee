import type { Page } from 'playwright-core';

/** Runs in the browser: what is to happen in some seconds waits for `passTime`; what is sooner or later is left alone. */
const HOLD = `(() => {
  const [set, clear] = [window.setTimeout, window.clearTimeout];
  const held = new Map();
  let last = 0;
  window.setTimeout = (then, ms = 0, ...rest) => {
    if (ms < 3_000 || ms > 10_000) return set(then, ms, ...rest);
    last -= 1;
    held.set(last, () => then(...rest));
    return last;
  };
  window.clearTimeout = (id) => held.delete(id) || clear(id);
  window.passTime = () => {
    for (const [id, then] of [...held]) {
      held.delete(id);
      then();
    }
  };
})()`;

/** Stops the seconds for which something can be undone or a notice is shown: a test may be slower than they are long. */
export async function stopTime(page: Page): Promise<void> {
  await page.evaluate(HOLD);
}

/** Lets them pass, once `stopTime` stopped them. */
export async function passTime(page: Page): Promise<void> {
  await page.evaluate('window.passTime()');
}
