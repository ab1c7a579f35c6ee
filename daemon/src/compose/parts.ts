import type { Caller } from '@reverie/shared/accounts/caller';
import type { Mount } from '@reverie/shared/http/mount';
import type { FastifyInstance } from 'fastify';
import type { authenticate } from '../features/accounts/authenticate.ts';
import type { OpenConnections } from '../platform/open-connections.ts';
import type { Stop } from '../platform/clock.ts';

/** What a part is served by. */
export interface Serving {
  http: FastifyInstance;
  mount: Mount<Caller>;
  /** Serves a route without `/v1` too, where monitors look for it. */
  mountAlsoAtRoot: Mount<Caller>;
  auth: ReturnType<typeof authenticate>;
  connections: OpenConnections;
}

/** A part of the daemon, as far as the whole starts and ends it. */
export interface Part {
  /** Puts its routes on the server. */
  serve?(serving: Serving): void | Promise<void>;
  /** Begins work that may begin once requests are served; returns how to end it. */
  start?(): Stop;
  /** Ends what would keep the server from closing, or write while it does. */
  cut?(): void | Promise<void>;
  /** Saves what is in memory once the server is closed, whether the part was started or not. */
  stop?(): void;
}

/** The parts in the order in which they are served and started; they are stopped the other way round. */
export interface Parts {
  add(...parts: readonly Part[]): void;
  serve(serving: Serving): Promise<void>;
  start(): void;
  /** Ends every part; `close` waits for the requests in flight. */
  stop(close: () => Promise<unknown>): Promise<void>;
  isStopping(): boolean;
}

export function createParts(): Parts {
  const parts: Part[] = [];
  const stops: Stop[] = [];
  let isStopping = false;
  return {
    add(...added) {
      for (const part of added) {
        parts.push(part);
        if (part.stop) stops.push(() => part.stop?.());
      }
    },
    async serve(serving) {
      for (const part of parts) await part.serve?.(serving);
    },
    start() {
      for (const part of parts) if (part.start) stops.push(part.start());
    },
    async stop(close) {
      isStopping = true;
      for (const part of parts) await part.cut?.();
      await close();
      for (const stop of stops.reverse()) stop();
    },
    isStopping: () => isStopping,
  };
}
