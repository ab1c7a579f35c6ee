/** As much of a SQLite connection as it takes. */
interface Connection {
  pragma(source: string): unknown;
}

/** Whether what was deleted may still stand in the write-ahead log. Times in ms since 1970. */
export type WriteAheadLogState =
  | { readonly kind: 'emptied' }
  /** Another connection reads it, or (`cause`) the file could not be written. */
  | { readonly kind: 'waiting'; readonly since: number; readonly cause?: unknown };

/** Empties the write-ahead log of a database: secure deletion overwrites pages in the file, and their old content stays in the log. */
export interface LogEmptying {
  /** Empties it now, without waiting for those who read it; where that cannot be, it is owed until `retry` could do it. */
  empty(): void;
  /** Does what is owed, if anything is. */
  retry(): void;
  state(): WriteAheadLogState;
}

export interface EmptyingDeps {
  /** Asked each time, for a store may open its file anew. */
  connection: () => Connection;
  now: () => number;
  /** The busy timeout of the connection for everything else, in ms. */
  patience: number;
  /** Done once the log is empty, before it is emptied again: what is owed besides. Answers whether it wrote anything. */
  after?: () => boolean;
}

export function createLogEmptying({ connection, now, patience, after }: EmptyingDeps): LogEmptying {
  let state: WriteAheadLogState = { kind: 'emptied' };

  /** `busy` of the pragma's row: 1 where somebody read or wrote. It fails where the disk is full, say. */
  function attempt(): { busy: boolean; cause?: unknown } {
    const db = connection();
    db.pragma('busy_timeout = 0');
    try {
      const isBusy = () => (db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[])[0]?.busy !== 0;
      return { busy: isBusy() || (after?.() === true && isBusy()) };
    } catch (cause) {
      return { busy: true, cause };
    } finally {
      db.pragma(`busy_timeout = ${patience}`);
    }
  }

  function empty(): void {
    const { busy, cause } = attempt();
    const since = state.kind === 'waiting' ? state.since : now();
    state = busy ? { kind: 'waiting', since, ...(cause !== undefined && { cause }) } : { kind: 'emptied' };
  }

  return {
    empty,
    retry() {
      if (state.kind === 'waiting') empty();
    },
    state: () => state,
  };
}

export interface RetryDeps {
  emptying: LogEmptying;
  clock: { every(ms: number, run: () => void): { stop(): void } };
  log: { warn(of: object, text: string): void; info(text: string): void };
}

const RETRY_MS = 1000;

/** Does what is owed as soon as it can be done, looking each second; answers how to end that. Logs once that it waits, and its end. */
export function startEmptying({ emptying, clock, log }: RetryDeps): () => void {
  let isTold = false;
  const timer = clock.every(RETRY_MS, () => {
    emptying.retry();
    const state = emptying.state();
    if (isTold === (state.kind === 'waiting')) return;
    isTold = !isTold;
    if (state.kind === 'emptied') log.info('the write-ahead log is empty again');
    else
      log.warn(
        { err: state.cause },
        `the write-ahead log, where deleted text may stand, cannot be emptied${state.cause === undefined ? ': another program reads the database' : ''}; it is tried again each second`,
      );
  });
  return () => timer.stop();
}
