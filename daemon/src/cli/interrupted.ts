import type { Stop } from '../platform/clock.ts';

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** From now on Ctrl+C and the like take away what is half made before they end the command; answers how to end that. */
export function ifInterrupted(cleanUp: () => void): Stop {
  const stops = Object.entries(SIGNALS).map(([signal, code]) => {
    const end = () => {
      cleanUp();
      process.exit(code);
    };
    process.once(signal, end);
    return () => process.removeListener(signal, end);
  });
  return () => {
    for (const stop of stops) stop();
  };
}

/** Ctrl+C and the like abort the signal instead of ending the command at once; a second one ends it as ever. */
export function onInterrupt(): { signal: AbortSignal; stop: Stop } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const signals = Object.keys(SIGNALS);
  for (const signal of signals) process.once(signal, abort);
  return {
    signal: controller.signal,
    stop() {
      for (const signal of signals) process.removeListener(signal, abort);
    },
  };
}
