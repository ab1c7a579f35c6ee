import type { Clock } from '../../../platform/clock.ts';

/** Something that answers one request after the other, away from the page: a worker or a frame, but in tests. */
export interface Helper<Request> {
  ask(request: Request): void;
  stop(): void;
}

/** Makes a helper that tells what it found, or that it broke. */
export type StartHelper<Request, Reply> = (told: {
  reply: (reply: Reply) => void;
  broke: () => void;
}) => Helper<Request>;

/** Why there is no answer, as the end of a sentence. */
export interface Failed {
  failed: string;
}

export interface Desk<Request, Reply> {
  /** Has a request answered; it is given up when `signal` is aborted, and nothing is told then. */
  ask(request: Request, signal: AbortSignal): Promise<Reply | Failed>;
}

interface DeskOptions<Request, Reply> {
  start: StartHelper<Request, Reply>;
  clock: Clock;
  /** What is told of a request that takes too long, and where the helper did not start. */
  failures: { slow: string; broken: string };
  /** Whether a helper is kept while nothing is asked. */
  isKept: boolean;
  /** A request that keeps the helper busy for longer than this, ms, is none that a person wrote, also where others want the processor, too. */
  patience: number;
}

interface Waiting<Request, Reply> {
  request: Request;
  signal: AbortSignal;
  tell: (reply: Reply | Failed) => void;
}

/**
 * Hands requests to a helper, in their order. One that takes too long is given up, and its helper with it:
 * Markdown can be written so that reading it takes hours.
 */
export function openDesk<Request, Reply>({
  start,
  clock,
  failures,
  isKept,
  patience,
}: DeskOptions<Request, Reply>): Desk<Request, Reply> {
  const waiting: Waiting<Request, Reply>[] = [];
  let helper: Helper<Request> | undefined;
  let now: { of: Waiting<Request, Reply>; stopClock: () => void } | undefined;

  return {
    ask: (request, signal) =>
      new Promise((tell) => {
        waiting.push({ request, signal, tell });
        next();
      }),
  };

  function next(): void {
    if (now) return;
    const of = waiting.shift();
    if (!of) return isKept ? undefined : dismiss();
    if (of.signal.aborted) return next();
    helper ??= start({ reply: done, broke: () => giveUp(failures.broken) });
    now = { of, stopClock: clock.after(patience, () => giveUp(failures.slow)) };
    helper.ask(of.request);
  }

  function dismiss(): void {
    helper?.stop();
    helper = undefined;
  }

  function giveUp(why: string): void {
    dismiss();
    done({ failed: why });
  }

  function done(reply: Reply | Failed): void {
    const was = now;
    now = undefined;
    was?.stopClock();
    if (was && !was.of.signal.aborted) was.of.tell(reply);
    next();
  }
}
