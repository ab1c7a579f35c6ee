/**
 * Loaded into each daemon and relay that is attacked (`NODE_OPTIONS=--import …`): writes down each turn of the main thread's event loop
 * that takes much of the processor, as `<ms since 1970> <ms of the processor>`, a line each. Time of the thread itself, not of the clock:
 * the attack keeps the machine busy, and who waits for a processor is no slower for it. A timer of 1 ms stands between two turns, as in
 * `daemon/src/testing/turns.ts`.
 */
import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { REVERIE_ATTACK_TURNS: file } = process.env;
/** Shorter turns are not written down, ms. */
const SHORT = 20;

// Only the program itself: what it starts inherits the variable.
if (isMainThread && file !== undefined && /(reverie\.cjs|main\.ts)$/.test(process.argv[1] ?? '')) {
  Reflect.deleteProperty(process.env, 'REVERIE_ATTACK_TURNS');
  let last = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(last);
    last = process.threadCpuUsage();
    const ms = (user + system) / 1000;
    if (ms > SHORT) fs.appendFileSync(file, `${Date.now()} ${ms.toFixed(1)}\n`);
    setTimeout(look, 1).unref();
  };
  look();
}
