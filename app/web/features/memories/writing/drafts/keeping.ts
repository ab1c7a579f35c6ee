import { Memory } from '@reverie/shared/contract/memories/memories';
import { z } from 'zod';
import type { ValueStore } from '../../../../platform/store.ts';
import { draftId, type MemoryDraft } from './draft.ts';

const KeptDraft = z.object({
  key: z.string(),
  namespace: z.string(),
  value: z.string(),
  metadata: z.string(),
  expires: z.string(),
  seed: z.string().optional(),
  // Of a build that had it otherwise the words are kept all the same, as a new memory.
  base: Memory.optional().catch(undefined),
});

type Drafts = ReadonlyMap<string, MemoryDraft>;

interface KeepingDeps {
  drafts: ValueStore<Drafts>;
  storage: Pick<Storage, 'length' | 'key' | 'getItem' | 'setItem' | 'removeItem'>;
  /** Held as long as a tab lives, so that another one knows whose drafts nobody writes any more. */
  locks: Pick<LockManager, 'request'>;
  /** The account of which the drafts are; another one never sees them. */
  account: string;
  /** Of this tab alone. */
  tab: string;
  /** A draft of a tab that ended is this one's now. */
  onFound: (draft: MemoryDraft) => void;
  /** The browser has no room for it. */
  onFull: () => void;
}

const PLACE = 'reverie.draft';

/**
 * Keeps drafts in the browser as they change, so that they outlive a tab that crashes, and takes over those of tabs that
 * ended. Returns how to stop.
 */
export function startKeeping({
  drafts,
  storage,
  locks,
  account,
  tab,
  onFound,
  onFull,
}: KeepingDeps): () => void {
  const over = new AbortController();
  const placeOf = (owner: string, id: string) => JSON.stringify([PLACE, account, owner, id]);
  let kept: Drafts = new Map();
  const keepAll = () => {
    const now = drafts.get();
    for (const id of kept.keys()) if (!now.has(id)) storage.removeItem(placeOf(tab, id));
    for (const [id, draft] of now) {
      if (kept.get(id) === draft) continue;
      try {
        storage.setItem(placeOf(tab, id), JSON.stringify(draft));
      } catch (error) {
        if (!(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error;
        // What stands there from before is older than what is saved soon.
        storage.removeItem(placeOf(tab, id));
        onFull();
      }
    }
    kept = now;
  };
  const others = () => {
    const found: { place: string; owner: string }[] = [];
    for (let at = 0; at < storage.length; at += 1) {
      const place = storage.key(at) ?? '';
      const owner = ownerIn(place, account);
      if (owner !== undefined && owner !== tab) found.push({ place, owner });
    }
    return found;
  };
  const takeOver = (owner: string) => {
    for (const { place, owner: of } of others()) {
      if (of !== owner) continue;
      const draft = parsed(storage.getItem(place));
      // A new memory that is begun here goes on; the other one waits for its turn.
      if (draft && drafts.get().has(draftId(draft.namespace, draft.base?.key))) continue;
      storage.removeItem(place);
      if (draft) onFound(draft);
    }
  };
  const hold = (owner: string, then: () => Promise<void> | void) =>
    locks.request(`${PLACE} ${owner}`, { signal: over.signal }, then).catch((error: unknown) => {
      if (!over.signal.aborted) throw error;
    });
  void hold(tab, () => new Promise((ended) => over.signal.addEventListener('abort', () => ended())));
  for (const owner of new Set(others().map((one) => one.owner))) void hold(owner, () => takeOver(owner));
  keepAll();
  const unsubscribe = drafts.subscribe(keepAll);
  return () => {
    unsubscribe();
    over.abort();
  };
}

function ownerIn(place: string, account: string): string | undefined {
  if (!place.startsWith(`["${PLACE}"`)) return undefined;
  const parts = z
    .tuple([z.literal(PLACE), z.literal(account), z.string(), z.string()])
    .safeParse(jsonIn(place));
  return parts.data?.[2];
}

function parsed(text: string | null): MemoryDraft | undefined {
  const draft = KeptDraft.safeParse(jsonIn(text ?? '')).data;
  return draft && { ...draft, base: draft.base };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What stands there is not ours: there is no draft then.
    return undefined;
  }
}
