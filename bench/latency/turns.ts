/**
 * Loaded into a daemon that is measured (`--import`): told so by its parent, it counts how long the main thread is held between two turns of
 * its event loop, on the clock and of the processor.
 */
import { isMainThread } from 'node:worker_threads';

const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let isCounting = false;
let longest = { wallMs: 0, cpuMs: 0 };
let from = { wallMs: 0, cpuMs: 0 };

/** Each is kept by itself: who waits for a processor is held on the clock alone. */
function note(): void {
  const now = { wallMs: performance.now(), cpuMs: processorMs() };
  longest = {
    wallMs: Math.max(longest.wallMs, now.wallMs - from.wallMs),
    cpuMs: Math.max(longest.cpuMs, now.cpuMs - from.cpuMs),
  };
  from = now;
}

function turn(): void {
  if (!isCounting) return;
  note();
  setImmediate(turn);
}

if (isMainThread && process.send !== undefined) {
  process.on('message', (message: 'begin' | 'end') => {
    if (message === 'begin') {
      longest = { wallMs: 0, cpuMs: 0 };
      from = { wallMs: performance.now(), cpuMs: processorMs() };
      isCounting = true;
      setImmediate(turn);
    } else {
      note();
      isCounting = false;
    }
    process.send?.({ ...longest, isCounting });
  });
  // A daemon ends though its parent could still say something.
  process.channel?.unref();
}
