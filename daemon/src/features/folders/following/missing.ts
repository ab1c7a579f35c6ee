import type { Stop } from '../../../platform/clock.ts';

/** Runs something after a while, in ms; answers how to call it off. */
export type Schedule = (ms: number, run: () => void) => Stop;

/** How long a file has to be away before it counts as removed, ms: editors take one away and put another in its place. */
const PATIENCE = 300;

/** Files that are not where they were: for a while it may be that they come back, or turn up under another name. */
export interface Missing {
  /** Takes note of what is missing now; answers what has been for long enough. `isThere`: whether one was met. */
  look(missing: ReadonlySet<string>, isThere: (path: string) => boolean): Set<string>;
  forget(): void;
}

/** `ripened` is called with the paths that have been missing for so long that they should be looked at again. */
export function createMissing(schedule: Schedule, ripened: (paths: readonly string[]) => void): Missing {
  const since = new Map<string, 'waiting' | 'long'>();
  const timers = new Set<Stop>();

  function wait(paths: readonly string[]): void {
    const stop = schedule(PATIENCE, () => {
      timers.delete(stop);
      for (const path of paths) if (since.has(path)) since.set(path, 'long');
      ripened(paths);
    });
    timers.add(stop);
  }

  return {
    look(missing, isThere) {
      for (const path of since.keys()) if (!missing.has(path) && isThere(path)) since.delete(path);
      const fresh = [...missing].filter((path) => !since.has(path));
      for (const path of fresh) since.set(path, 'waiting');
      if (fresh.length > 0) wait(fresh);
      return new Set([...missing].filter((path) => since.get(path) === 'long'));
    },
    forget() {
      for (const stop of timers) stop();
      timers.clear();
      since.clear();
    },
  };
}
