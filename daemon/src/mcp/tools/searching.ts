import type { Client } from '@reverie/shared/client';
import type { FileHit } from '@reverie/shared/contract/search/file-hit';
import { searchMemories, type SearchHit } from '@reverie/shared/contract/search/search';
import type { Received, Sent } from '@reverie/shared/contract/route';

/** Hits below the line that are shown where none is above it. */
const NEAREST = 3;

interface Found {
  shown: SearchHit[];
  /** What PDFs say that memories name. */
  files: FileHit[];
  /** False where nothing fits well, and the nearest are shown. */
  fits: boolean;
  elsewhere: NonNullable<Received<typeof searchMemories>['elsewhere']>;
}

/** Looks for what an agent is shown, and the app beside it: what fits, else the nearest few. */
export async function hitsOf(
  client: Client,
  body: Pick<Sent<typeof searchMemories>['body'], 'query' | 'queries' | 'namespace' | 'limit' | 'explain'>,
): Promise<Found> {
  const {
    results,
    files = [],
    elsewhere = [],
  } = await client(searchMemories, { body: { ...body, values: false } });
  const strong = results.filter(({ weaker }) => !weaker);
  const fits = strong.length + files.length > 0;
  return {
    shown: fits ? strong : results.slice(0, NEAREST),
    files,
    fits,
    elsewhere,
  };
}
