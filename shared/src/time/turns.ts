import { subscribe } from 'node:diagnostics_channel';
import { setImmediate } from 'node:timers/promises';

/** New connections that are taken between two turns at most: libuv takes one in each round of the event loop, and some hundred may wait. */
const BETWEEN = 32;

let connections = 0;
subscribe('net.server.socket', () => {
  connections += 1;
});

let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of this thread in which nothing else that waits here goes on. Of many heavy things that come together, others are answered
 * between each two, and new connections are taken while there are any.
 */
export function turnOfOnesOwn(): Promise<void> {
  last = last.then(othersHaveTheirs);
  return last;
}

async function othersHaveTheirs(): Promise<void> {
  let before: number;
  const most = connections + BETWEEN;
  do {
    before = connections;
    await setImmediate();
  } while (connections > before && connections < most);
}
