import { createHmac } from 'node:crypto';
import type { AccountId, Caller } from '@reverie/shared/accounts/caller';
import type { Reply } from '@reverie/shared/contract/route';
import type * as contract from '@reverie/shared/contract/system/system';
import type { WriteAheadLogState } from '@reverie/shared/sqlite/log-emptying';
import type { Store } from '../../db/open-store.ts';

/** What the daemon knows of itself. */
export interface KnownOfItself {
  version: string;
  startedAt: string;
  logId: string;
  isStopping: () => boolean;
  /** Chunks that wait for their vector. */
  pending: () => number;
  /** Memories whose facts are still to be read, of one account or of all. */
  factsPending: (account?: AccountId) => number;
  /** Whether the disk takes what is written, and whether what was deleted is out of the write-ahead log. */
  storage: { room: Store['room']; log: () => WriteAheadLogState };
  /** How what makes vectors does. */
  embedderState: () => State;
  /** The language model that questions are answered with, else the one of dreams, and how its server does. */
  languageModel: () => (State & { readonly model: string }) | undefined;
  contents: (caller: Caller) => { memories: number; namespaces: number; bytes: number };
  embedder: (caller: Caller) => {
    model: string;
    dimensions: number;
    embedded: number;
    total: number;
    recutting: number;
  };
  /** The text of the owner key's file, read when it is needed. */
  ownerKey: () => string;
  nonce: string;
}

/** Whether a server of a model answers, since when, and what is wrong. */
interface State {
  readonly state: 'ok' | 'down';
  readonly since: number;
  readonly error: string | null;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** Whether the daemon is ready, and how its parts do. Anybody may ask, so that of memories it tells counts and numbers only. */
export function health(deps: KnownOfItself): Reply<typeof contract.health> {
  return {
    status: deps.isStopping() ? 'stopping' : 'ready',
    indexing: { pending: deps.pending(), facts_pending: deps.factsPending() },
    embedder: embedderState(deps, deps.pending()),
    language_model: languageModel(deps),
    storage: storage(deps),
  };
}

/** What a caller has stored, and how the daemon does with it. */
export function status(deps: KnownOfItself, caller: Caller): Reply<typeof contract.status> {
  const { recutting, ...embedder } = deps.embedder(caller);
  const pending = embedder.total - embedder.embedded + recutting;
  return {
    version: deps.version,
    started_at: deps.startedAt,
    ...deps.contents(caller),
    log_id: deps.logId,
    embedder: { ...embedder, ...embedderState(deps, pending) },
    language_model: languageModel(deps),
    storage: storage(deps),
    indexing: {
      pending,
      facts_pending: deps.factsPending(caller.account),
    },
  };
}

/** Proves to who can read the owner key that this daemon can as well. */
export function proofFor(
  { ownerKey, nonce }: Pick<KnownOfItself, 'ownerKey' | 'nonce'>,
  challenge: string,
): string {
  return createHmac('sha256', ownerKey()).update(`${nonce}.${challenge}`).digest('hex');
}

function shown({ state, since, error }: State) {
  return { state, since: iso(since), error };
}

/** The embedder's state: one that is well may have to catch up. */
function embedderState(deps: KnownOfItself, pending: number) {
  const found = shown(deps.embedderState());
  return found.state === 'ok' && pending > 0 ? { ...found, state: 'catching_up' as const } : found;
}

function languageModel(deps: KnownOfItself) {
  const found = deps.languageModel();
  return found ? { model: found.model, ...shown(found) } : null;
}

function storage(deps: KnownOfItself) {
  const [room, log] = [deps.storage.room(), deps.storage.log()];
  return {
    state: room.kind === 'full' ? ('full' as const) : ('ok' as const),
    since: room.kind === 'full' ? iso(room.since) : null,
    log_waits_since: log.kind === 'waiting' ? iso(log.since) : null,
  };
}
