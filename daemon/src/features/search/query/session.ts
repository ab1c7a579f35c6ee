import type { ReadDb } from '../../../db/open-store.ts';
import type { CandidateFeatures } from '../ranking/calibration.ts';
import { chunksOfTurns, turnsAmong, turnsFollowing } from '../ranking/candidates.store.ts';

/** A turn that comes soon after a memory that was found: it may answer without naming what it is about. */
export interface FollowingTurn {
  readonly memoryId: number;
  readonly chunkIds: readonly number[];
  /** Place of the memory that it follows. */
  readonly rank: number;
  /** The score of that memory, less for the second turn after it. */
  readonly strength: number;
}

/** Memories whose next turns are brought in, and how likely they have to be. */
const LEADERS = 5;
const LIKELY = 0.3;
/** What the first and the second turn after a memory have of its score. */
const SHARES = [1, 0.6];

/** The turns that follow the best of the memories that were read closely, each with the one that it follows most closely. */
export function followersOf(
  db: ReadDb,
  seen: readonly { candidate: { memoryId: number }; features: CandidateFeatures }[],
  scoreOf: (features: CandidateFeatures) => number,
): FollowingTurn[] {
  const leaders = seen
    .map(({ candidate, features }) => ({ id: candidate.memoryId, score: scoreOf(features) }))
    .filter(({ score }) => score >= LIKELY)
    .sort((a, b) => b.score - a.score)
    .slice(0, LEADERS);
  const found = new Map<number, { rank: number; strength: number }>();
  const turns = turnsAmong(
    db,
    leaders.map(({ id }) => id),
  );
  if (turns.size === 0) return [];
  for (const [at, { id, score }] of leaders.entries()) {
    if (!turns.has(id)) continue;
    for (const [distance, turn] of turnsFollowing(db, id, SHARES.length).entries()) {
      const strength = score * (SHARES[distance] ?? 0);
      if ((found.get(turn)?.strength ?? 0) < strength) found.set(turn, { rank: at + 1, strength });
    }
  }
  const chunks = chunksOfTurns(db, [...found.keys()]);
  return [...found].map(([memoryId, how]) => ({ memoryId, chunkIds: chunks.get(memoryId) ?? [], ...how }));
}
