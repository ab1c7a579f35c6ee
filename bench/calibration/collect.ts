import { importMemories } from '@reverie/shared/contract/memories/portable';

import { loadMigrations } from '../../daemon/src/db/migrations.ts';
import { openStore, type Store } from '../../daemon/src/db/open-store.ts';
import { findMachineAccount } from '../../daemon/src/features/accounts/accounts.store.ts';
import type { CandidateFeatures } from '../../daemon/src/features/search/ranking/calibration.ts';
import { createFrequencies } from '../../daemon/src/features/search/ranking/frequencies.ts';
import { createMeanings } from '../../daemon/src/features/search/query/meanings.ts';
import type { PiecewiseDeps } from '../../daemon/src/features/search/query/query.ts';
import { candidateFeatures, gather } from '../../daemon/src/features/search/ranking/rank.ts';
import { createSegments } from '../../daemon/src/features/search/vectors/segments.ts';
import { createSpelling } from '../../daemon/src/features/search/spelling/spelling.ts';
import { vectorStream, wordsStream } from '../../daemon/src/features/search/vectors/streams.ts';
import { loadStaticTable } from '../../daemon/src/models/static-table.ts';
import { createYielding } from '../../daemon/src/platform/yielding.ts';
import { startTestDaemon } from '../../daemon/src/testing.ts';

/** A memory to be searched among, and where it stands in a session. */
export interface Stored {
  key: string;
  value: string;
  metadata: Record<string, string>;
  created_at?: string;
}

export interface Asked {
  text: string;
  kind: string;
  /** Keys of the memories that answer. */
  evidence: readonly string[];
}

/** A candidate as ranking sees it, and whether it answers. */
export interface Judged {
  relevant: boolean;
  features: CandidateFeatures;
}

/** A question with its candidates. */
export interface Seen {
  asked: Asked;
  candidates: Judged[];
}

const IMPORTED_AT_ONCE = 500;

/**
 * What ranking sees of each candidate of each question: a real daemon stores the memories, so that the features are those of its
 * indexes.
 */
export async function collect(memories: readonly Stored[], questions: readonly Asked[]): Promise<Seen[]> {
  const daemon = await startTestDaemon();
  let store: Store | undefined;
  try {
    for (let at = 0; at < memories.length; at += IMPORTED_AT_ONCE) {
      const items = memories.slice(at, at + IMPORTED_AT_ONCE).map(({ created_at, ...item }) => ({
        ...item,
        ...(created_at !== undefined && { created_at, updated_at: created_at }),
      }));
      await daemon.call(importMemories, { body: { items } });
    }
    const embedder = loadStaticTable();
    store = openStore({ file: daemon.home.database, migrations: loadMigrations() });
    const deps: PiecewiseDeps = {
      embedder,
      segments: createSegments(embedder),
      frequencies: createFrequencies(),
      meanings: createMeanings(() => embedder),
      // What is fitted is how words that are spelt right are ranked.
      spelling: createSpelling(() => true),
      store,
      yieldToOthers: createYielding(),
    };
    const account = store.read(findMachineAccount)?.id;
    if (account === undefined) throw new Error('The store has no account');
    const keys = store.read(
      (db) =>
        new Map(
          db
            .prepare<[], { id: number; key: string }>('SELECT id, key FROM memories')
            .all()
            .map(({ id, key }) => [id, key]),
        ),
    );
    const seen: Seen[] = [];
    for (const asked of questions) {
      const scope = { account, namespace: 'default' };
      const queries = [asked.text];
      const candidates = gather([
        { name: 'words', hits: await wordsStream(deps, { ...scope, queries }) },
        { name: 'vectors', hits: await vectorStream(deps, { ...scope, queries }) },
      ]);
      const found = await candidateFeatures(deps, { ...scope, query: asked.text, candidates, limit: 10 });
      seen.push({
        asked,
        candidates: found.map(({ candidate, features }) => ({
          relevant: asked.evidence.includes(keys.get(candidate.memoryId) ?? ''),
          features,
        })),
      });
    }
    return seen;
  } finally {
    store?.close();
    await daemon.stop();
  }
}
