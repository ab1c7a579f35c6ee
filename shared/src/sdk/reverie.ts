import { type CallOptions, type Client, type ClientOptions, createClient } from '../client/client.ts';
import type { listMemories } from '../contract/memories/memories.ts';
import type { Received, Sent } from '../contract/route.ts';
import { type Follow, type Followed, followEvents } from './event-stream.ts';
import { allMemories, type PagedRoute, pages, type Which } from './pages.ts';
import { isRepeatable, pause, type RetryPolicy, retryingFetch, type Surroundings } from './retries.ts';

/** How a program reaches Reverie. */
export interface ReverieOptions extends Omit<ClientOptions, 'key'> {
  /** The bearer key, or what answers it, asked before each call. */
  key?: string | (() => string | undefined);
  retry?: RetryPolicy;
  /** Another `WebSocket`; that of the platform where omitted. */
  webSocket?: typeof WebSocket;
  surroundings?: Partial<Surroundings>;
}

/** What a program does with Reverie. */
export interface Reverie {
  /**
   * Calls a route of the contract. What reads is tried again where that may help, and what takes an `Idempotency-Key` with one that is
   * made here, so that it is stored once. Throws `ApiError` with the code of the problem.
   */
  call: Client;
  /** The replies of a route page by page. */
  pages: <R extends PagedRoute>(
    route: R,
    sent: Sent<R>,
    options?: CallOptions,
  ) => AsyncGenerator<Received<R>, void, undefined>;
  /** The memories of a namespace one by one, oldest first. */
  memories: (
    body?: Which,
    options?: CallOptions,
  ) => AsyncGenerator<Received<typeof listMemories>['memories'][number], void, undefined>;
  /** What happens, live, also across restarts. */
  events: (follow?: Follow) => AsyncGenerator<Followed, void, undefined>;
}

/** Connects to a daemon, in Node and in browsers; nothing is sent yet. */
export function createReverie({
  key,
  retry = {},
  webSocket = globalThis.WebSocket,
  surroundings: given = {},
  ...options
}: ReverieOptions): Reverie {
  const surroundings: Surroundings = { pause, random: Math.random, ...given };
  const keyOf = typeof key === 'string' ? () => key : (key ?? (() => undefined));
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const once = createClient({ ...options, key: keyOf, fetch });
  const again = createClient({ ...options, key: keyOf, fetch: retryingFetch(fetch, retry, surroundings) });
  const call: Client = (route, sent, asked = {}) => {
    const made = route.idempotent === true ? { idempotencyKey: crypto.randomUUID() } : {};
    const all = { ...made, ...asked };
    return (isRepeatable(route, all.idempotencyKey) ? again : once)(route, sent, all);
  };
  return {
    call,
    pages: (route, sent, asked) => pages(call, route, { sent, options: asked }),
    memories: (body = {}, asked) => allMemories(call, { body, options: asked }),
    events: (follow = {}) =>
      followEvents(
        { client: once, origin: options.origin, key: keyOf, retry, surroundings, webSocket },
        follow,
      ),
  };
}
