import type { CallOptions, Client } from '../client/client.ts';
import { listMemories } from '../contract/memories/memories.ts';
import type { Received, Route, Sent } from '../contract/route.ts';

/** A route whose reply names the page after it, as `next`. */
export type PagedRoute = Route & { response: { _zod: { output: { next: string | null } } } };

/** The replies of a route page by page, until there is no further one. */
export async function* pages<R extends PagedRoute>(
  client: Client,
  route: R,
  { sent, options }: { sent: Sent<R>; options?: CallOptions | undefined },
): AsyncGenerator<Received<R>, void, undefined> {
  const place = route.query && 'after' in route.query.shape ? 'after' : 'cursor';
  let next: string | null | undefined;
  do {
    const page = await client(route, at(route, sent, { [place]: next }), options);
    yield page;
    next = nextOf(page);
  } while (next !== null);
}

/** Which memories of a namespace are iterated: what the list takes, without its offset and order. */
export type Which = Omit<NonNullable<Sent<typeof listMemories>['body']>, 'offset' | 'order'>;

type Listed = Received<typeof listMemories>['memories'][number];

/**
 * The memories of a namespace one by one, oldest first, each once. Pages overlap by one memory: where that one is not the same any
 * more, something before it was deleted meanwhile, and the iteration goes back as far as it has to.
 */
export async function* allMemories(
  client: Client,
  { body, options }: { body: Which; options?: CallOptions | undefined },
): AsyncGenerator<Listed, void, undefined> {
  const limit = Math.max(2, body.limit ?? 100);
  const seen = new Set<string>();
  let offset = 0;
  for (;;) {
    const { memories } = await client(listMemories, { body: { ...body, limit, offset } }, options);
    const first = memories[0];
    const isJoined = offset === 0 || (first !== undefined && seen.has(idOf(first)));
    if (!isJoined) {
      offset = Math.max(0, offset - limit);
      continue;
    }
    for (const memory of memories) {
      if (seen.has(idOf(memory))) continue;
      seen.add(idOf(memory));
      yield memory;
    }
    if (memories.length < limit) return;
    offset += limit - 1;
  }
}

function idOf({ namespace, key }: Listed): string {
  return JSON.stringify([namespace, key]);
}

function at<R extends Route>(route: R, sent: Sent<R>, place: Record<string, unknown>): Sent<R> {
  const given: { query?: object; body?: object } = sent;
  return route.query
    ? { ...sent, query: { ...given.query, ...place } }
    : { ...sent, body: { ...given.body, ...place } };
}

function nextOf(page: unknown): string | null {
  return typeof page === 'object' && page !== null && 'next' in page && typeof page.next === 'string'
    ? page.next
    : null;
}
