/** Whether a server is asked at all: after a failure it is left alone for a while, longer with each one in a row. */
export interface Breaker {
  /** Milliseconds until it may be asked again; 0 where it may now. */
  wait(): number;
  succeeded(): void;
  /** `atLeast` is what the server itself asked for (`Retry-After`), in ms. */
  failed(error: string, atLeast?: number): void;
  state(): ServerState;
}

/** How a model server is doing, for people. Times in milliseconds since 1970. */
export interface ServerState {
  readonly state: 'ok' | 'down';
  readonly since: number;
  /** In plain words; null while it is well. Names no key. */
  readonly error: string | null;
}

const FIRST = 1000;
const LONGEST = 300_000;

/** Waits 1 s, 2 s, 4 s … to 5 min, each shortened by up to half, so that many do not come back at one moment. */
export function createBreaker({ now, random }: { now: () => number; random: () => number }): Breaker {
  let failures = 0;
  let openUntil = 0;
  let since = now();
  let error: string | null = null;
  return {
    wait: () => Math.max(0, openUntil - now()),
    succeeded() {
      if (failures > 0) since = now();
      failures = 0;
      openUntil = 0;
      error = null;
    },
    failed(said, atLeast = 0) {
      if (failures === 0) since = now();
      failures += 1;
      error = said;
      const wait = Math.min(LONGEST, FIRST * 2 ** (failures - 1)) * (0.5 + random() / 2);
      openUntil = now() + Math.max(wait, Math.min(atLeast, 3_600_000));
    },
    state: () => ({ state: failures === 0 ? 'ok' : 'down', since, error }),
  };
}
