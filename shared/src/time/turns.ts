import { setImmediate } from 'node:timers/promises';

/** Rounds of the event loop between two turns: libuv takes one new connection in each, and some hundred may wait. An idle loop makes them in less than 1 ms. */
const ROUNDS = 32;

let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of this thread in which nothing else that waits here goes on. Of many heavy things that come together, others are answered
 * between each two, new connections included.
 */
export function turnOfOnesOwn(): Promise<void> {
  last = last.then(async () => {
    for (let round = 0; round < ROUNDS; round += 1) await setImmediate();
  });
  return last;
}
