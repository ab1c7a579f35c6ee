import type { Client } from '@reverie/shared/client';
import { searchMemories, type SearchHit } from '@reverie/shared/contract/search';
import type { Received, Sent } from '@reverie/shared/contract/route';

/** Hits below the line that are shown where none is above it. */
const NEAREST = 3;

interface Found {
  shown: SearchHit[];
  /** False where nothing fits well, and the nearest are shown. */
  fits: boolean;
  elsewhere: NonNullable<Received<typeof searchMemories>['elsewhere']>;
}

/** Looks for what an agent is shown, and the app beside it: what fits, else the nearest few. */
export async function hitsOf(
  client: Client,
  body: Pick<Sent<typeof searchMemories>['body'], 'query' | 'queries' | 'namespace' | 'limit' | 'explain'>,
): Promise<Found> {
  const { results, elsewhere = [] } = await client(searchMemories, { body: { ...body, values: false } });
  const strong = results.filter(({ weaker }) => !weaker);
  return {
    shown: strong.length > 0 ? strong : results.slice(0, NEAREST),
    fits: strong.length > 0,
    elsewhere,
  };
}
