import type { AccountId } from '@reverie/shared/accounts/caller';
import type { Memory } from '@reverie/shared/contract/memories/memories';

/** What receipts need of the rest. */
export interface RecallsWorld {
  /** Memories by their numbers, those in the trash left out. */
  byId(account: AccountId, ids: readonly number[]): Map<number, Memory>;
  /** The best of a namespace, or of `*`, with their scores, best first. */
  look(
    account: AccountId,
    wanted: { namespace: string; query: string; limit: number },
  ): Promise<readonly { id: number; score: number }[]>;
  /** From which score on a hook puts a memory before an agent. */
  hookLine: number;
  /** The program and the model that makes the vectors: what an evaluation is made with. */
  madeWith(): string;
  /** Texts that wait for their vectors. */
  pending(): number;
}
