import { importMemories } from '@reverie/shared/contract/portable';

import { findMachineAccount } from '../../daemon/src/features/accounts/accounts.store.ts';
import type { CandidateFeatures } from '../../daemon/src/features/search/calibration.ts';
import { expandQuery } from '../../daemon/src/features/search/expand.ts';
import { createFrequencies } from '../../daemon/src/features/search/frequencies.ts';
import { createMeanings } from '../../daemon/src/features/search/meanings.ts';
import type { RankingDeps } from '../../daemon/src/features/search/query.ts';
import { candidateFeatures, gather } from '../../daemon/src/features/search/rank.ts';
import { createSegments } from '../../daemon/src/features/search/segments.ts';
import { createSpelling } from '../../daemon/src/features/search/spelling/spelling.ts';
import { vectorStream, wordsStream } from '../../daemon/src/features/search/streams.ts';
import { loadStaticTable } from '../../daemon/src/models/static-table.ts';
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
  try {
    for (let at = 0; at < memories.length; at += IMPORTED_AT_ONCE) {
      const items = memories.slice(at, at + IMPORTED_AT_ONCE).map(({ created_at, ...item }) => ({
        ...item,
        ...(created_at !== undefined && { created_at, updated_at: created_at }),
      }));
      await daemon.call(importMemories, { body: { items } });
    }
    const embedder = loadStaticTable();
    const deps: RankingDeps = {
      embedder,
      segments: createSegments(embedder),
      frequencies: createFrequencies(),
      meanings: createMeanings(() => embedder),
      // What is fitted is how words that are spelt right are ranked.
      spelling: createSpelling(() => true),
    };
    return daemon.withStore((store) =>
      store.read((db) => {
        const account = findMachineAccount(db)?.id;
        if (account === undefined) throw new Error('The store has no account');
        const keys = new Map(
          db
            .prepare<[], { id: number; key: string }>('SELECT id, key FROM memories')
            .all()
            .map(({ id, key }) => [id, key]),
        );
        return questions.map((asked) => {
          const scope = { account, namespace: 'default' };
          const { queries } = expandQuery(asked.text, { now: undefined });
          const candidates = gather([
            { name: 'words', hits: wordsStream(db, deps, { ...scope, queries }) },
            { name: 'vectors', hits: vectorStream(db, deps, { ...scope, queries }) },
          ]);
          const seen = candidateFeatures(db, deps, { ...scope, query: asked.text, candidates, limit: 10 });
          return {
            asked,
            candidates: seen.map(({ candidate, features }) => ({
              relevant: asked.evidence.includes(keys.get(candidate.memoryId) ?? ''),
              features,
            })),
          };
        });
      }),
    );
  } finally {
    await daemon.stop();
  }
}
