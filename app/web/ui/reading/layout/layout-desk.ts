import type { Clock } from '../../../platform/clock.ts';
import type { LayoutReply, LayoutRequest } from './layout.worker.ts';

/** Something that lays out one source after the other, away from the page; a worker, but in tests. */
export interface Layouter {
  ask(request: LayoutRequest): void;
  stop(): void;
}

/** Makes a layouter that tells what it found, or that it broke. */
export type StartLayouter = (told: { reply: (reply: LayoutReply) => void; broke: () => void }) => Layouter;

export interface LayoutDesk {
  /** Lays out a source; it is given up when `signal` is aborted, and nothing is told then. */
  layOut(request: LayoutRequest, signal: AbortSignal): Promise<LayoutReply>;
}

/** A source that keeps the worker busy for longer than this, ms, is none that a person wrote, also where others want the processor, too. */
const PATIENCE_MS = 10_000;

interface Waiting {
  request: LayoutRequest;
  signal: AbortSignal;
  tell: (reply: LayoutReply) => void;
}

/**
 * Hands sources to a layouter, in their order. One that takes too long is given up, and its layouter with it:
 * Markdown can be written so that reading it takes hours.
 */
export function openLayoutDesk(start: StartLayouter, clock: Clock): LayoutDesk {
  const waiting: Waiting[] = [];
  let layouter: Layouter | undefined;
  let now: { of: Waiting; stopClock: () => void } | undefined;

  return {
    layOut: (request, signal) =>
      new Promise((tell) => {
        waiting.push({ request, signal, tell });
        next();
      }),
  };

  function next(): void {
    if (now) return;
    const of = waiting.shift();
    if (!of) return;
    if (of.signal.aborted) return next();
    layouter ??= start({
      reply: done,
      broke: () => giveUp('the part of the page that reads notes did not start'),
    });
    now = { of, stopClock: clock.after(PATIENCE_MS, () => giveUp('it takes too long to read')) };
    layouter.ask(of.request);
  }

  function giveUp(why: string): void {
    layouter?.stop();
    layouter = undefined;
    done({ failed: why });
  }

  function done(reply: LayoutReply): void {
    const was = now;
    now = undefined;
    was?.stopClock();
    if (was && !was.of.signal.aborted) was.of.tell(reply);
    next();
  }
}
