import type { AccountId } from '@reverie/shared/accounts/caller';
import type { AnchorNow } from '@reverie/shared/contract/memories/anchor-now';
import type { JsonObject } from '@reverie/shared/contract/fields';

/** What may be anchored to code. */
interface Anchorable {
  namespace: string;
  metadata: JsonObject;
  anchors?: AnchorNow[] | undefined;
}

/** Adds to memories that are told what became of the code that they are anchored to. */
export type TellAnchors = <M extends Anchorable>(account: AccountId, memories: readonly M[]) => Promise<M[]>;
